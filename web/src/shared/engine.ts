// The engine's verbs: one request, one reply, the same for every model and lab.
// What a model is made of (its fields, inputs, metrics) is data: it comes from `describe`.
// A reply is JSON (`head`) and, where it says so, one flat buffer (`data`: float32; `bytes`: a file).

export type Scalar = number | boolean | string;
export type Config = Record<string, Scalar>;

/** One knob of a model, typed once in C++ (`models/*`). */
export interface Field {
  name: string;
  type: 'integer' | 'number' | 'boolean' | 'choice' | 'text';
  default: Scalar;
  min?: number;
  max?: number;
  choices?: string[];
  help: string;
}

export interface Model {
  name: string; // 'kernel-regression', 'seq2seq', 'bahdanau', 'transformer', and the labs
  kind: 'model' | 'lab';
  help: string;
  fields: Field[]; // of `open`
  inputs: Field[]; // of `run`
  metrics: string[]; // what training reports; the first is the one to plot
  needs_pairs: boolean; // `open` wants data.pairs, or a file of weights with its vocabularies
}

export interface Catalogue {
  version: string; // of the core; page and worker must agree
  variant: 'simd' | 'relaxed' | 'gpu' | 'native';
  models: Model[];
}

export interface Opened {
  session: number;
  config: Config; // complete: defaults filled in
  parameters: number;
  vocabularies?: { source: number; target: number };
  attention: AttentionStep[]; // the steps that hold attention weights; [] for a model without attention
  data?: DataReport;
}

/** A step that holds attention weights [… query, key], and what attends to what in it. */
export interface AttentionStep {
  step: string;
  use: 'encoder' | 'self' | 'cross';
  layer: number;
}

/** Which of the engine's sentences it is, for one in the page's own language (words `refused.<code>`), and what it names. */
export interface Reason {
  code?: string;
  values?: Record<string, string>;
}

/** What the reader found in a file of pairs; a bad line is named, never fatal, unless no good line is left. */
export interface DataReport {
  pairs: number;
  batches: number; // an epoch
  bad_lines: ({ line: number; reason: string } & Reason)[]; // the first 100; the reason in English
  bad_line_count: number;
  first: { line: number; source: string; target: string }[]; // the first 5 pairs as they are read
  cut: number; // pairs of which a sentence does not fit into num_steps
  unknown: { source: number; target: number }; // share of the words that are read as <unk>
}

/** A named axis. `labels` are the tokens (or other words) on it, where it has them. */
export interface Axis {
  name: string; // 'batch' 'time' 'query' 'key' 'head' 'hidden' 'feature' 'vocabulary' 'test' 'train' …
  size: number;
  labels?: string[];
  named?: true; // the labels are names of the engine's, no text: the page says them in its language
}

/** What a step was computed from, as it is laid out where the step reads it. A node without a name has no `step`; if it was
 *  computed, what from stands in `operands` (three deep at most). */
export interface Operand {
  step?: string;
  op: string;
  axes: { name: string; size: number }[]; // without 'time', also where a loop made the operand's step
  operands?: Operand[];
}

/** Numbers on their way into a step (`reshape`, `transpose` …), or as the op made them. */
export interface Move {
  op: string;
  axes: { name: string; size: number }[];
}

/** A step: a named node of the graph. Steps come in the order in which they were computed. */
export interface Step {
  name: string; // 'decoder.weights'
  op: string; // 'masked_softmax'
  nodes: number[]; // the node, or one a time step where a loop made many (then axes[0] is 'time')
  axes: Axis[];
  offset: number; // where its values begin in `data`
  gradient_offset?: number; // and its gradients, if they were asked for and exist
  mask_offset?: number; // of weights: where a mask of their shape begins; 1 takes part, 0 is hidden
  operands: Operand[]; // of its (last) node, in the order of the op
  moves?: Move[]; // where its numbers were moved after they were made: first as they were made, then after each move but the last
  edited?: boolean;
}

export interface Token {
  text: string;
  known: boolean; // false: not in the vocabulary, the model sees <unk>
  id: number;
}

/** One written token with what the model thought of it. */
export interface WrittenToken {
  text: string;
  probability: number;
  best: { text: string; probability: number }[]; // the most probable, falling
}

export interface Translation {
  source: Token[]; // as the model reads it, <eos> included
  cut: number; // tokens of the sentence that did not fit, 0 if none
  target: WrittenToken[]; // <eos> included if it was reached
  text: string; // without <eos>
  ended: boolean; // false: the length limit came before <eos>
  tree?: Branch[][]; // what the search looked at, by step; absent where the words were given
  hypotheses?: { text: string; log_p: number; score: number; ended: boolean }[]; // the best first
}

/** A word that a search looked at. */
export interface Branch {
  parent: number; // its place in the step before, -1 at the first
  text: string;
  log_p: number; // of the word after its branch, in nats
  total: number; // of all words up to it
  score: number; // total / length^α
  chance: number; // of being drawn, where words are drawn
  kept: boolean;
  ended: boolean;
}

export type Metrics = Record<string, number>;

export interface Ran {
  run: number;
  steps: Step[]; // those wanted, in order
  translation?: Translation; // translators only
  loss?: number; // where the run has one
  metrics?: Metrics; // what a run measured besides its steps
}

/** Change values before what depends on them is computed. `time` picks one node of a stacked step. */
export interface Edit {
  step: string;
  time?: number;
  cell?: number[]; // one entry …
  value?: number;
  values?: number[]; // … or the whole tensor, row-major
}

/** A number as the sum that made it. Every inner value is computed by the core in double. */
// `hidden`: set by the page, where a lesson asks for the number (page/store/hidden.ts)
export type Expr = { value: number; hidden?: true } & (
  | { op: 'ref'; node: number; cell: number[]; gradient?: boolean; step?: string; time?: number }
  | { op: 'const'; symbol?: string } // '1/√d'
  | { op: 'name'; name: string } // one of `where`
  | { op: 'add' | 'mul' | 'sub' | 'div' | 'max' | 'min' | 'pow'; of: Expr[] }
  | {
      op:
        | ('neg' | 'exp' | 'log' | 'tanh' | 'sigmoid' | 'sqrt' | 'square' | 'relu')
        | ('abs' | 'sin' | 'cos' | 'step');
      of: [Expr];
    }
  | { op: 'via'; node: number; step?: string; of: [Expr] } // the share that one consumer adds to a gradient
);

export interface Explained {
  node: number;
  op: string;
  step?: string;
  time?: number; // which node of a stacked step
  axes: Axis[]; // of the node (a stacked step's without 'time')
  cell: number[];
  gradient: boolean;
  stored: number; // the float32 in the tensor
  kind: 'computed' | 'input' | 'parameter' | 'edited'; // the last three end the chain
  where: { name: string; expr: Expr }[]; // mean = …, used in expr by name
  expr?: Expr; // absent where the chain ends
  guess?: { right: boolean; off: number }; // right: rounded to the digits typed, and within 5 %
  hidden?: true; // set by the page, as in Expr
}

/** In this order: one turn of a stacked step, chosen entries of axes, a sum or mean along one, less the same elsewhere. */
export interface Derivation {
  name: string; // the step is called 'derived.<name>'
  step: string;
  time?: number;
  select?: Record<string, number[]>;
  sum?: string; // an axis
  mean?: string;
  minus?: { run?: number; step?: string; time?: number };
}

export interface Progress extends Reason {
  state: 'training' | 'done' | 'diverged';
  epoch: number; // finished epochs
  epochs: number;
  batch: number; // within the running epoch
  batches: number;
  history: ({ epoch: number } & Record<string, number>)[]; // metrics of each finished epoch
  tokens_per_s: number; // 0 where the model has no tokens; measured over this slice
  tokens: number; // trained on since the start …
  seconds: number; // … and the time it took, pauses not counted
  left_s?: number; // to the end at that speed; absent before the first step, and where the run has diverged
  moments: number[]; // epochs (fractional) at which the parameters were kept
  message?: string; // why it diverged, in English
}

/** The GPU as the worker knows it. */
export interface Gpu {
  state: 'absent' | 'idle' | 'on' | 'off'; // absent: this build has none; idle: nothing was large enough yet to ask for it
  reason?: GpuReason; // of off
  choice: GpuChoice;
  adapter?: { vendor: string; architecture: string; description: string; fallback: boolean }; // words may be ''; fallback: software
  probe?: { products: number; worst: number; tolerance: number }; // worst: largest |gpu - wasm| / max(1, |wasm|)
  kernel?: string; // the one chosen: 'blocked' or 'tiled'
  kernels?: { name: string; ms: number }[]; // of one product, computed there without the way to and fro
  crossover?: {
    size: number | null; // from size × size · size × size on the GPU was faster; null: nowhere
    table: { size: number; wasm_ms: number; gpu_ms: number }[];
  };
  faults: { code: GpuFault; count: number; message: string }[]; // what happened since the start; the products were computed in WASM
  products: number; // computed by the GPU
  submissions: number; // independent products go together
  uploaded: number; // bytes
  kept: number; // bytes that were there already: weights that had not changed
}
export type GpuChoice = 'auto' | 'wasm' | 'gpu'; // by the measured crossover; never; always
export type GpuReason =
  | ('no_webgpu' | 'no_adapter' | 'fallback_adapter' | 'no_device')
  | ('wrong' | 'slow' | 'lost' | 'failed');
export type GpuFault = 'lost' | 'out_of_memory' | 'validation' | 'map' | 'timeout';

export interface Requests {
  describe: { request: Record<string, never>; reply: Catalogue };
  /** bytes: a model file (safetensors). Without one, parameters are drawn from `config.seed`. */
  open: {
    request: { model: string; config?: Config; data?: { pairs?: string; valid?: string } };
    reply: Opened;
  };
  /** want: step names, a prefix with '*' ('decoder.*'), or '*'. `at`: one of Progress.moments. data: all values.
   *  `update`: after the backward pass, the optimiser's next step is recorded too: 'update.norm', 'update.<path>.value' …
   *  With `at` only where the optimiser has no memory. */
  run: {
    request: {
      session: number;
      inputs?: Record<string, Scalar | number[]>;
      edits?: Edit[];
      want?: string[];
      gradients?: boolean;
      update?: boolean; // implies gradients
      from?: { step: string; cell: number[] }; // where the backward pass starts; default: the loss
      at?: number;
    };
    reply: Ran;
  };
  /** What is shown of steps besides the steps: each a step of the run that opens like any other. */
  derive: { request: { run: number; what: Derivation[] }; reply: { steps: Step[] } };
  /** Either a step (cell includes 'time' where it is stacked) or a node of the run. */
  explain: {
    request: {
      run: number;
      step?: string;
      node?: number;
      cell: number[];
      gradient?: boolean;
      guess?: string; // a learner's number, to be marked
    };
    reply: Explained;
  };
  /** One slice of at most budget_ms (at least one batch). To pause is not to ask; to reset is to open again. */
  train: { request: { session: number; budget_ms: number }; reply: Progress };
  /** bytes: the file of weights, or with `checkpoint` the file that training needs besides it to go on. */
  save: { request: { session: number; checkpoint?: boolean }; reply: { size: number } };
  /** bytes: a file. The session keeps what it had if the file is refused.
   *  `checkpoint`: training goes on from there. The session has the same config (epochs may differ) and pairs, and has the
   *  file of weights that was saved with it loaded already. */
  load: {
    request: { session: number; checkpoint?: boolean };
    reply: Opened & { progress?: Progress };
  };
  close: { request: { session?: number; run?: number }; reply: Record<string, never> };
  /** Tells of the GPU; nothing here fails where there is none. `start`: find, compare and measure it now, and after a failure once
   *  more; otherwise that waits for the first product that is large enough. `fallback`: a software adapter will do. `destroy`
   *  loses the device on purpose. */
  gpu: {
    request: { choice?: GpuChoice; fallback?: boolean; start?: boolean; destroy?: boolean };
    reply: Gpu;
  };
}

export type Verb = keyof Requests;

export type ErrorType = 'ShapeError' | 'ConfigError' | 'DataError' | 'EngineError';

export interface Reply<V extends Verb> {
  /** gpu_faults: how often the GPU has failed so far, if ever; `gpu` tells how. */
  head: Requests[V]['reply'] & { gpu_faults?: number };
  data?: Float32Array;
  bytes?: Uint8Array;
}
