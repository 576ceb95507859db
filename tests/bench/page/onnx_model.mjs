// A model of products for onnxruntime-web, written by hand: a few fields of ONNX's protobuf. A field is its number and wire type,
// then a varint or a length and bytes.

function varint(value) {
  const out = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest];
    out.push((rest % 128) | 128);
  }
}
const integer = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const text = (field, content) => bytes(field, [...new TextEncoder().encode(content)]);

const FLOAT = 1;
const tensorInfo = (name, shape) => {
  const dims = shape.flatMap((size) => bytes(1, integer(1, size)));
  const type = bytes(1, [...integer(1, FLOAT), ...bytes(2, dims)]);
  return [...text(1, name), ...bytes(2, type)];
};
const matmulNode = ([a, b, out]) => [...text(1, a), ...text(1, b), ...text(2, out), ...text(4, 'MatMul')];

/** ModelProto: opset 17, inputs and output with their shapes, a MatMul for each of `products` [a, b, out]. */
export function model(inputs, products, output) {
  const graph = [
    ...products.flatMap((p) => bytes(1, matmulNode(p))),
    ...text(2, 'products'),
    ...Object.entries(inputs).flatMap(([name, shape]) => bytes(11, tensorInfo(name, shape))),
    ...bytes(12, tensorInfo(...output)),
  ];
  return new Uint8Array([...integer(1, 8), ...bytes(7, graph), ...bytes(8, integer(2, 17))]);
}
