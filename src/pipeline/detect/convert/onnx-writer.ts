import {
  type OnnxAttribute,
  type OnnxElement,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from './onnx-graph.ts'
import { createProtobufWriter, type ProtobufWriter } from './protobuf-writer.ts'

// Numbers of onnx.proto: fields of the messages, and the enums TensorProto.DataType and AttributeProto.AttributeType.
const elementCode = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const satisfies Record<OnnxElement, number>
const attributeCode = { integer: 2, string: 3, integers: 7 } as const
const IR_VERSION = 8
const opsets = { '': 13, 'com.microsoft': 1 } as const

/** `graph` as the bytes of an ONNX file (ModelProto). The same graph always gives the same bytes. */
export function writeOnnx(graph: OnnxGraph): Uint8Array {
  const model = createProtobufWriter().integer(1, IR_VERSION).string(2, 'aerie').message(7, graphProto(graph))
  for (const [domain, version] of Object.entries(opsets)) {
    model.message(8, createProtobufWriter().string(1, domain).integer(2, version))
  }
  return model.finish()
}

function graphProto(graph: OnnxGraph): ProtobufWriter {
  const proto = createProtobufWriter()
  for (const node of graph.nodes) proto.message(1, nodeProto(node))
  proto.string(2, graph.name)
  for (const [name, tensor] of graph.constants) proto.message(5, tensorProto(name, tensor))
  for (const value of graph.inputs) proto.message(11, valueInfoProto(value))
  for (const value of graph.outputs) proto.message(12, valueInfoProto(value))
  return proto
}

function nodeProto({ operator, domain, inputs, outputs, attributes = {} }: OnnxNode): ProtobufWriter {
  const proto = createProtobufWriter()
  for (const name of inputs) proto.string(1, name)
  for (const name of outputs) proto.string(2, name)
  proto.string(4, operator)
  for (const [name, value] of Object.entries(attributes)) proto.message(5, attributeProto(name, value))
  return domain === undefined ? proto : proto.string(7, domain)
}

function attributeProto(name: string, value: OnnxAttribute): ProtobufWriter {
  const proto = createProtobufWriter().string(1, name)
  if (typeof value === 'number') return proto.integer(3, value).integer(20, attributeCode.integer)
  if (typeof value === 'string') return proto.string(4, value).integer(20, attributeCode.string)
  for (const item of value) proto.integer(8, item)
  return proto.integer(20, attributeCode.integers)
}

function tensorProto(name: string, { shape, element, data }: OnnxTensor): ProtobufWriter {
  return createProtobufWriter().packedIntegers(1, shape).integer(2, elementCode[element]).string(8, name).bytes(9, data)
}

function valueInfoProto({ name, element, shape }: OnnxValue): ProtobufWriter {
  const dimensions = createProtobufWriter()
  for (const size of shape) {
    const dimension = createProtobufWriter()
    dimensions.message(1, typeof size === 'number' ? dimension.integer(1, size) : dimension.string(2, size))
  }
  const tensor = createProtobufWriter().integer(1, elementCode[element]).message(2, dimensions)
  return createProtobufWriter().string(1, name).message(2, createProtobufWriter().message(1, tensor))
}
