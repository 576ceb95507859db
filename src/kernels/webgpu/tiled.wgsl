// C = start + A B with workgroup memory: a workgroup of 16 × 16 computes a tile of 64 × 64, for which it copies 64 × 16 of A
// and 16 × 64 of B at a time (8.1 KiB); each invocation keeps 4 × 4 of C in registers. A number of A or B leaves the device's
// memory once for 64 multiply-adds. The order of a copy follows the operand's layout, so that neighbours read neighbours.

struct Product {
  m: u32, n: u32, k: u32, started: u32,
  a_batch: u32, a_row: u32, a_column: u32,
  b_batch: u32, b_row: u32, b_column: u32,
  start_batch: u32, start_row: u32,
}

@group(0) @binding(0) var<uniform> p: Product;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> start: array<f32>;
@group(0) @binding(4) var<storage, read_write> c: array<f32>;

const tile = 64u;
const depth = 16u;
const pitch = 65u; // one more than the tile: a copy down a column touches every bank of the memory
const invocations = 256u;

var<workgroup> a_tile: array<f32, depth * pitch>;
var<workgroup> b_tile: array<f32, depth * pitch>;

@compute @workgroup_size(16, 16)
fn multiply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u,
            @builtin(local_invocation_index) index: u32) {
  let first_row = group.y * tile;
  let first_column = group.x * tile;
  var sums = array<vec4f, 4>();
  for (var first = 0u; first < p.k; first += depth) {
    for (var i = index; i < tile * depth; i += invocations) {
      let a_at = select(vec2u(i % tile, i / tile), vec2u(i / depth, i % depth), p.a_column == 1u); // row, depth
      let b_at = select(vec2u(i / depth, i % depth), vec2u(i % tile, i / tile), p.b_column == 1u); // column, depth
      var x = 0.0;
      var y = 0.0;
      if (first_row + a_at.x < p.m && first + a_at.y < p.k) {
        x = a[group.z * p.a_batch + (first_row + a_at.x) * p.a_row + (first + a_at.y) * p.a_column];
      }
      if (first_column + b_at.x < p.n && first + b_at.y < p.k) {
        y = b[group.z * p.b_batch + (first + b_at.y) * p.b_row + (first_column + b_at.x) * p.b_column];
      }
      a_tile[a_at.y * pitch + a_at.x] = x;
      b_tile[b_at.y * pitch + b_at.x] = y;
    }
    workgroupBarrier();
    for (var d = 0u; d < depth; d++) {
      let at_b = d * pitch + local.x;
      let across = vec4f(b_tile[at_b], b_tile[at_b + 16u], b_tile[at_b + 32u], b_tile[at_b + 48u]);
      let at_a = d * pitch + local.y * 4u;
      sums[0] += a_tile[at_a] * across;
      sums[1] += a_tile[at_a + 1u] * across;
      sums[2] += a_tile[at_a + 2u] * across;
      sums[3] += a_tile[at_a + 3u] * across;
    }
    workgroupBarrier();
  }

  for (var i = 0u; i < 4u; i++) {
    let row = first_row + local.y * 4u + i;
    for (var j = 0u; j < 4u; j++) {
      let column = first_column + local.x + j * 16u;
      if (row < p.m && column < p.n) {
        var sum = sums[i][j];
        if (p.started != 0u) { sum += start[group.z * p.start_batch + row * p.start_row + column]; }
        c[(group.z * p.m + row) * p.n + column] = sum;
      }
    }
  }
}
