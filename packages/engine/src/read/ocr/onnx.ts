/** A network in ONNX's form, as far as rewriting it needs to know: https://onnx.ai/onnx/repo-docs/IR.html */
export interface Network {
  /** In the order in which they run. */
  nodes: NetworkNode[];
  /** Constants, by name. */
  readonly constants: Map<string, FloatTensor>;
  /** Names of what the network gives out. */
  readonly outputs: ReadonlySet<string>;
  /** The file's other parts, and the graph's, as they came. */
  readonly otherFields: readonly Field[];
  readonly otherGraphFields: readonly Field[];
}

export interface NetworkNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** As they stand in the file, by name. */
  readonly attributes: ReadonlyMap<string, Uint8Array>;
}

export interface FloatTensor {
  readonly dimensions: readonly number[];
  /** As they stand in the file: 4 bytes a number, the least significant first. */
  readonly encoded: Uint8Array;
}

/** A field of a Protocol Buffers message: a varint, bytes, or a message to be written; `wireType` 0, 1, 2 or 5. */
interface Field {
  readonly number: number;
  readonly wireType: number;
  readonly value: number | Uint8Array | readonly Field[];
}

const floatType = 1;
const text = new TextDecoder();
const utf8 = new TextEncoder();

/** Reads a network from an ONNX file's bytes. They are trusted: models come with the program. */
export function parseNetwork(model: Uint8Array): Network {
  const fields = readFields(model);
  const graph = readFields(bytesOf(fields, 7)[0] ?? new Uint8Array());
  const nodes: NetworkNode[] = [];
  const constants = new Map<string, FloatTensor>();
  for (const encoded of bytesOf(graph, 1)) {
    const node = parseNode(encoded);
    const tensor = node.operator === 'Constant' ? floatTensorOf(node) : null;
    if (tensor) constants.set(node.outputs[0] as string, tensor);
    else nodes.push(node);
  }
  const outputs = bytesOf(graph, 12).flatMap((encoded) => strings(readFields(encoded), 1));
  return {
    nodes,
    constants,
    outputs: new Set(outputs),
    otherFields: fields.filter((field) => field.number !== 7),
    otherGraphFields: graph.filter((field) => field.number !== 1),
  };
}

/** The network as an ONNX file's bytes. Constants that nothing uses are left out. */
export function serialiseNetwork(network: Network): Uint8Array {
  const used = new Set(network.nodes.flatMap(({ inputs }) => inputs));
  const constants = [...network.constants].filter(([name]) => used.has(name));
  const graph = [
    ...network.nodes.map((node) => message(1, fieldsOfNode(node))),
    ...constants.map(([name, tensor]) => message(5, fieldsOfTensor(name, tensor))),
    ...network.otherGraphFields,
  ];
  return writeFields([...network.otherFields, message(7, graph)]);
}

/** A tensor's numbers, copied. */
export function valuesOf(tensor: FloatTensor): Float32Array {
  return floatsOf(tensor.encoded);
}

export function floatTensor(dimensions: readonly number[], values: Float32Array): FloatTensor {
  return { dimensions, encoded: bytesOfFloats(values) };
}

export function integersAttribute(name: string, values: readonly number[]): Uint8Array {
  return writeFields([string(1, name), ...values.map((value) => varint(8, value)), varint(20, 7)]);
}

export function integerAttribute(name: string, value: number): Uint8Array {
  return writeFields([string(1, name), varint(3, value), varint(20, 2)]);
}

export function floatAttribute(name: string, value: number): Uint8Array {
  const float: Field = { number: 2, wireType: 5, value: bytesOfFloats(Float32Array.of(value)) };
  return writeFields([string(1, name), float, varint(20, 1)]);
}

/** The numbers of an attribute that is a float or a list of natural numbers; none for every other kind. */
export function numbersOf(attribute: Uint8Array | undefined): readonly number[] {
  if (!attribute) return [];
  const fields = readFields(attribute);
  switch (integers(fields, 20)[0]) {
    case 1:
      return bytesOf(fields, 2).flatMap((bytes) => [...floatsOf(bytes)]);
    case 7:
      return integers(fields, 8);
    default:
      return [];
  }
}

function parseNode(encoded: Uint8Array): NetworkNode {
  const fields = readFields(encoded);
  return {
    operator: strings(fields, 4)[0] ?? '',
    inputs: strings(fields, 1),
    outputs: strings(fields, 2),
    attributes: new Map(bytesOf(fields, 5).map((attribute) => [strings(readFields(attribute), 1)[0] ?? '', attribute])),
  };
}

function fieldsOfNode({ operator, inputs, outputs, attributes }: NetworkNode): Field[] {
  return [
    ...inputs.map((name) => string(1, name)),
    ...outputs.map((name) => string(2, name)),
    string(4, operator),
    ...[...attributes.values()].map((attribute) => message(5, attribute)),
  ];
}

function floatTensorOf(constant: NetworkNode): FloatTensor | null {
  const attribute = constant.attributes.get('value');
  const [tensor] = attribute ? bytesOf(readFields(attribute), 5) : [];
  if (!tensor) return null;
  const fields = readFields(tensor);
  const [raw] = bytesOf(fields, 9);
  if (!raw || integers(fields, 2)[0] !== floatType) return null;
  return { dimensions: integers(fields, 1), encoded: raw };
}

function fieldsOfTensor(name: string, { dimensions, encoded }: FloatTensor): Field[] {
  return [
    ...dimensions.map((dimension) => varint(1, dimension)),
    varint(2, floatType),
    string(8, name),
    message(9, encoded),
  ];
}

/** The file's order of bytes is that of every machine that ONNX Runtime is built for. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function bytesOfFloats(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function strings(fields: readonly Field[], number: number): string[] {
  return bytesOf(fields, number).map((bytes) => text.decode(bytes));
}

function bytesOf(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.value instanceof Uint8Array ? [field.value] : []));
}

/** Repeated integers stand one by one, or packed into bytes. */
function integers(fields: readonly Field[], number: number): number[] {
  return fields.flatMap((field) => {
    if (field.number !== number) return [];
    if (typeof field.value === 'number') return [field.value];
    if (!(field.value instanceof Uint8Array)) return [];
    const packed: number[] = [];
    for (let at = 0; at < field.value.length; ) {
      const { value, next } = readVarint(field.value, at);
      packed.push(value);
      at = next;
    }
    return packed;
  });
}

function message(number: number, value: Uint8Array | readonly Field[]): Field {
  return { number, wireType: 2, value };
}

function string(number: number, value: string): Field {
  return message(number, utf8.encode(value));
}

function varint(number: number, value: number): Field {
  return { number, wireType: 0, value };
}

/** Reads a message of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/ */
function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const number = key.value >>> 3;
    const wireType = key.value & 7;
    if (wireType === 0) {
      const { value, next } = readVarint(bytes, key.next);
      fields.push({ number, wireType, value });
      at = next;
      continue;
    }
    const length = wireType === 2 ? readVarint(bytes, key.next) : { value: wireType === 5 ? 4 : 8, next: key.next };
    at = length.next + length.value;
    fields.push({ number, wireType, value: bytes.subarray(length.next, at) });
  }
  return fields;
}

/** Numbers from 2⁵³ on lose their last digits; what is read here stays far below. */
function readVarint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let at = start;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * unit;
    if (byte < 128) return { value, next: at };
  }
}

function writeFields(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(encodeFields(fields));
}

/** The parts in a row, so that weights are copied once, however deep they lie. */
function encodeFields(fields: readonly Field[]): Uint8Array[] {
  return fields.flatMap(({ number, wireType, value }) => {
    const key = encodeVarint((number << 3) | wireType);
    if (typeof value === 'number') return [key, encodeVarint(value)];
    if (wireType !== 2) return [key, ...contentOf(value)];
    const content = contentOf(value);
    const length = content.reduce((sum, part) => sum + part.length, 0);
    return [key, encodeVarint(length), ...content];
  });
}

function contentOf(value: Uint8Array | readonly Field[]): readonly Uint8Array[] {
  return value instanceof Uint8Array ? [value] : encodeFields(value);
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  bytes.push(left);
  return Uint8Array.from(bytes);
}
