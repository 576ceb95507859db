// Errors that reach the user, with the type that the page and the shell show. Thrown once, at the front door
// of an op or a reader; the bindings and the command catch them once.
#pragma once

#include <stdexcept>
#include <string>

namespace attn {

/// What went wrong, said to a person. `type()` crosses every border unchanged.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual const char* type() const noexcept { return "EngineError"; }
};

/// Shapes that do not fit each other: names the op and both shapes.
class ShapeError : public Error {
 public:
  using Error::Error;
  const char* type() const noexcept override { return "ShapeError"; }
};

/// A setting, size or request that cannot be honoured: names the field and what it may be.
class ConfigError : public Error {
 public:
  using Error::Error;
  const char* type() const noexcept override { return "ConfigError"; }
};

/// A file or text that is not what it should be: names the line, tensor or field.
class DataError : public Error {
 public:
  using Error::Error;
  const char* type() const noexcept override { return "DataError"; }
};

}  // namespace attn
