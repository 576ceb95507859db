// C = start + A B without workgroup memory: each invocation keeps 4 rows × 4 columns of C in registers, so that 8 numbers
// read serve 16 multiply-adds; neighbours read the same rows and columns, which the caches hold. A tile is 32 × 32.

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

@compute @workgroup_size(8, 8)
fn multiply(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let row = group.y * 32u + local.y * 4u;
  let column = group.x * 32u + local.x * 4u;
  if (row >= p.m || column >= p.n) { return; }

  // Beyond the edges the last row and column are read again; what comes of it is not written.
  let rows = min(vec4u(row, row + 1u, row + 2u, row + 3u), vec4u(p.m - 1u));
  let columns = min(vec4u(column, column + 1u, column + 2u, column + 3u), vec4u(p.n - 1u));
  var at_a = vec4u(group.z * p.a_batch) + rows * p.a_row;
  var at_b = vec4u(group.z * p.b_batch) + columns * p.b_column;
  var sums = array<vec4f, 4>();
  for (var depth = 0u; depth < p.k; depth++) {
    let across = vec4f(b[at_b.x], b[at_b.y], b[at_b.z], b[at_b.w]);
    sums[0] += a[at_a.x] * across;
    sums[1] += a[at_a.y] * across;
    sums[2] += a[at_a.z] * across;
    sums[3] += a[at_a.w] * across;
    at_a += vec4u(p.a_column);
    at_b += vec4u(p.b_row);
  }

  for (var i = 0u; i < 4u && row + i < p.m; i++) {
    for (var j = 0u; j < 4u && column + j < p.n; j++) {
      var sum = sums[i][j];
      if (p.started != 0u) { sum += start[group.z * p.start_batch + (row + i) * p.start_row + column + j]; }
      c[(group.z * p.m + row + i) * p.n + column + j] = sum;
    }
  }
}
