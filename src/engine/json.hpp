#pragma once

#include <nlohmann/json.hpp>

#include "models/model.hpp"

namespace attn::engine {

using Json = nlohmann::json;

/// Parses a request. Throws DataError with the place of the mistake.
Json parse(std::string_view text);

/// A value for a message: never long, and readable whatever its bytes.
std::string shown(const Json& value);

/// The fields as data: [{name, type, default, min, max, choices, help}].
class FieldDescriber final : public models::FieldVisitor {
 public:
  Json fields = Json::array();
  void integer(const char* name, int& value, int min, int max, const char* help) override;
  void number(const char* name, double& value, double min, double max, const char* help) override;
  void boolean(const char* name, bool& value, const char* help) override;
  void choice(const char* name, std::string& value, const std::vector<std::string>& choices, const char* help) override;
  void text(const char* name, std::string& value, const char* help) override;

 private:
  Json& add(const char* name, const char* type, Json value, const char* help);
};

/// The values as an object.
class FieldWriter final : public models::FieldVisitor {
 public:
  Json values = Json::object();
  void integer(const char* name, int& value, int, int, const char*) override { values[name] = value; }
  void number(const char* name, double& value, double, double, const char*) override { values[name] = value; }
  void boolean(const char* name, bool& value, const char*) override { values[name] = value; }
  void choice(const char* name, std::string& value, const std::vector<std::string>&, const char*) override {
    values[name] = value;
  }
  void text(const char* name, std::string& value, const char*) override { values[name] = value; }
};

/// Sets the fields that an object names. Throws ConfigError naming the field, what it may be and what it was; also for a
/// key that is no field (in finish()).
class FieldReader final : public models::FieldVisitor {
 public:
  /// `what` says whose fields they are ("config of bahdanau").
  FieldReader(Json values, std::string what);
  void integer(const char* name, int& value, int min, int max, const char* help) override;
  void number(const char* name, double& value, double min, double max, const char* help) override;
  void boolean(const char* name, bool& value, const char* help) override;
  void choice(const char* name, std::string& value, const std::vector<std::string>& choices, const char* help) override;
  void text(const char* name, std::string& value, const char* help) override;
  void finish() const;

 private:
  const Json* find(const char* name);
  /// What a field may be, for a refusal (tensor/refusal.hpp).
  struct Allowed {
    const char *code, *sentence;
    std::map<std::string, std::string> values;
  };
  [[noreturn]] void refuse(const Allowed& allowed, const char* name, const Json& given) const;
  Json values_;
  std::string what_;
  std::vector<std::string> seen_;
};

}  // namespace attn::engine
