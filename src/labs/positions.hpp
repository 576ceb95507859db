#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// The sinusoids that tell a word where it stands, built step by step; beside them binary numbers, and the rotation that a
/// step of `offset` positions is.
/// Inputs: positions, size (any, also odd), first: the first position; pair: which pair of columns is looked at; offset.
/// Records: position [position]; index [pair] = 0, 1, 2 …; frequency [pair] = 10000^(−2 pair / size); period [pair] = 2π / frequency; angle
///   [position, pair]; sine, cosine [position, pair]; table [position, feature], sines and cosines in turn;
///   binary [position, bit]: the positions as binary numbers, the lowest bit last;
///   rotation.angle [], rotation.matrix [row, column] = (cos, sin; −sin, cos) of offset · frequency; rotation.from [position,
///   part]: a pair of columns; rotation.turned [position, part]: the matrix on each; rotation.there [position, part]: the
///   pair `offset` positions on; rotation.error [position]: √Σ(turned − there)²; rotation.largest []: over all positions;
///   product [query, key]: table · tableᵀ, which depends on the distance alone.
models::Kind positions();

/// Added to the words or joined behind them: what it does to shapes and to the layer that follows.
/// Inputs: words, size, hidden, kind sinusoid or learned; seed.
/// Records: words, positions [time, feature]; added, joined [time, feature]; projected.added, projected.joined [time,
///   hidden]; of both: parameters.added, parameters.joined [] of the projection; parameters.positions [], 0 for sinusoids.
models::Kind position_join();

/// Scores that know the distance of key and query, for a sentence that says one word again and again.
/// Inputs: words, size, reach, seed.
/// Records: word [feature]; offset [query, key] = key − query, clipped to ±reach; clipped.table [offset, feature], a vector a
///   distance (Shaw et al. 2018); clipped.scores [query, key]; bias.table [offset], a number a distance; bias.scores;
///   absolute.scores: sinusoids added to the words instead; of each weights [query, key] and shifted []: √Σ of
///   (score of query i and key j − score of i + 1 and j + 1)², 0 where scores depend on the distance alone.
models::Kind relative_positions();

}  // namespace attn::labs
