#include "engine/json.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/refusal.hpp"

namespace attn::engine {
namespace {

constexpr std::size_t kMaxText = 100000;  // characters of a text field

std::string plain(double value) {
  std::string out = Json(value).dump();
  return out.ends_with(".0") ? out.substr(0, out.size() - 2) : out;
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

Json parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    throw DataError("no JSON, at byte " + std::to_string(e.byte));
  }
}

std::string shown(const Json& value) {
  const std::string out = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return out.size() > 60 ? out.substr(0, 57) + "..." : out;
}

// ---- describing

Json& FieldDescriber::add(const char* name, const char* type, Json value, const char* help) {
  fields.push_back({{"name", name}, {"type", type}, {"default", std::move(value)}, {"help", help}});
  return fields.back();
}

void FieldDescriber::integer(const char* name, int& value, int min, int max, const char* help) {
  add(name, "integer", value, help).update({{"min", min}, {"max", max}});
}
void FieldDescriber::number(const char* name, double& value, double min, double max, const char* help) {
  add(name, "number", value, help).update({{"min", min}, {"max", max}});
}
void FieldDescriber::boolean(const char* name, bool& value, const char* help) { add(name, "boolean", value, help); }
void FieldDescriber::choice(const char* name, std::string& value, const std::vector<std::string>& choices,
                            const char* help) {
  add(name, "choice", value, help)["choices"] = choices;
}
void FieldDescriber::text(const char* name, std::string& value, const char* help) { add(name, "text", value, help); }

// ---- reading

FieldReader::FieldReader(Json values, std::string what) : values_(std::move(values)), what_(std::move(what)) {
  if (!values_.is_object() && !values_.is_null()) throw ConfigError(what_ + ": an object of fields is expected");
}

const Json* FieldReader::find(const char* name) {
  seen_.emplace_back(name);
  if (!values_.is_object()) return nullptr;
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &*found;
}

void FieldReader::refuse(const Allowed& allowed, const char* name, const Json& given) const {
  std::map<std::string, std::string> values = allowed.values;
  values.insert({{"what", what_}, {"field", name}, {"given", shown(given)}});
  throw refused<ConfigError>(allowed.code, "{what}: {field} is " + std::string(allowed.sentence) + ", not {given}",
                             std::move(values));
}

void FieldReader::integer(const char* name, int& value, int min, int max, const char*) {
  const Json* given = find(name);
  if (given == nullptr) return;
  const double x = given->is_number() ? given->get<double>() : NAN;
  if (!(x >= min && x <= max) || x != std::floor(x))
    refuse({"field.integer",
            "a whole number from {min} to {max}",
            {{"min", std::to_string(min)}, {"max", std::to_string(max)}}},
           name, *given);
  value = static_cast<int>(x);
}

void FieldReader::number(const char* name, double& value, double min, double max, const char*) {
  const Json* given = find(name);
  if (given == nullptr) return;
  const double x = given->is_number() ? given->get<double>() : NAN;
  if (!(x >= min && x <= max))
    refuse({"field.number", "a number from {min} to {max}", {{"min", plain(min)}, {"max", plain(max)}}}, name, *given);
  value = x;
}

void FieldReader::boolean(const char* name, bool& value, const char*) {
  const Json* given = find(name);
  if (given == nullptr) return;
  if (!given->is_boolean()) refuse({"field.boolean", "true or false", {}}, name, *given);
  value = given->get<bool>();
}

void FieldReader::choice(const char* name, std::string& value, const std::vector<std::string>& choices, const char*) {
  const Json* given = find(name);
  if (given == nullptr) return;
  if (!given->is_string() || std::ranges::find(choices, given->get<std::string>()) == choices.end())
    refuse({"field.choice", "one of {choices}", {{"choices", join(choices)}}}, name, *given);
  value = given->get<std::string>();
}

void FieldReader::text(const char* name, std::string& value, const char*) {
  const Json* given = find(name);
  if (given == nullptr) return;
  if (!given->is_string() || given->get_ref<const std::string&>().size() > kMaxText)
    refuse({"field.text", "text of at most {most} bytes", {{"most", std::to_string(kMaxText)}}}, name, *given);
  value = given->get<std::string>();
}

void FieldReader::finish() const {
  if (!values_.is_object()) return;
  for (const auto& [key, value] : values_.items())
    if (std::ranges::find(seen_, key) == seen_.end())
      throw ConfigError(what_ + ": there is no field " +
                        Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + "; there are " +
                        (seen_.empty() ? "none" : join(seen_)));
}

}  // namespace attn::engine
