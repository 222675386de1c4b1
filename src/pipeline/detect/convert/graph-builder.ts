import { type OnnxGraph, type OnnxNode, type OnnxTensor, type OnnxValue } from './onnx-graph.ts'

/** Collects the nodes and constants of a graph while it is being made. */
export interface GraphBuilder {
  /** Adds a node whose only output is `output`, and answers that name. */
  add(output: string, operator: string, inputs: readonly string[], options?: NodeOptions): string
  addNode(node: OnnxNode): void
  /** Keeps a constant under its name, and answers the name. Saying the same one again changes nothing. */
  constant(name: string, tensor: OnnxTensor): string
  build(name: string, inputs: readonly OnnxValue[], outputs: readonly OnnxValue[]): OnnxGraph
}

export type NodeOptions = Pick<OnnxNode, 'domain' | 'attributes'>

export function createGraphBuilder(): GraphBuilder {
  const nodes: OnnxNode[] = []
  const constants = new Map<string, OnnxTensor>()
  return {
    add(output, operator, inputs, options = {}) {
      nodes.push({ operator, inputs, outputs: [output], ...options })
      return output
    },
    addNode: (node) => void nodes.push(node),
    constant(name, tensor) {
      if (!constants.has(name)) constants.set(name, tensor)
      return name
    },
    build: (name, inputs, outputs) => ({ name, inputs, outputs, nodes, constants }),
  }
}
