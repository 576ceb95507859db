#include "train/moments.hpp"

#include <algorithm>
#include <cmath>

namespace attn::train {

std::size_t Moments::most(std::size_t parameters) {
  const std::size_t fit = kBytes / (sizeof(float) * std::max<std::size_t>(parameters, 1));
  return std::clamp(fit, kFewest, kMost) / 2 * 2;
}

Moments::Moments(Parameters parameters) : parameters_(std::move(parameters)) {
  std::size_t size = 0;
  for (const Parameter* p : parameters_) size += p->value.size();
  copies_.resize(most(size));
  for (auto& copy : copies_)
    for (const Parameter* p : parameters_) copy.emplace_back(p->value.shape());
  epochs_.reserve(copies_.size());
}

void Moments::offer(double epoch) {
  if (offered_++ % stride_ != 0) return;
  if (epochs_.size() == copies_.size()) {
    thin();
    if ((offered_ - 1) % stride_ != 0) return;
  }
  keep(epoch);
}

void Moments::keep(double epoch) {
  auto& copy = copies_[epochs_.size()];
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    std::ranges::copy(parameters_[i]->value.values(), copy[i].data());
  epochs_.push_back(epoch);
}

void Moments::thin() {
  for (std::size_t i = 1; 2 * i < copies_.size(); ++i) {
    std::swap(copies_[i], copies_[2 * i]);
    epochs_[i] = epochs_[2 * i];
  }
  epochs_.resize(copies_.size() / 2);
  stride_ *= 2;
}

Moments::View::View(Moments& moments, double epoch) : parameters_(moments.parameters_) {
  if (moments.epochs_.empty()) throw ConfigError("run: no moment of training was kept yet");
  const auto nearest = std::ranges::min_element(moments.epochs_, {}, [epoch](double e) { return std::abs(e - epoch); });
  const auto& copy = moments.copies_[static_cast<std::size_t>(nearest - moments.epochs_.begin())];
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    present_.push_back(std::exchange(parameters_[i]->value, copy[i]));
}

Moments::View::~View() {
  for (std::size_t i = 0; i < present_.size(); ++i) parameters_[i]->value = std::move(present_[i]);
}

}  // namespace attn::train
