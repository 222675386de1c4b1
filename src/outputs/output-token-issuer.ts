import { type TokenIssuer } from '../streams/path-tokens.ts'
import { type OutputTokens } from './output-tokens.ts'
import { type OutputStore } from './outputs.store.ts'

/** Tokens in the addresses of RTSP outputs: each lets its bearer read its output's path while a process sends it. */
export function createOutputTokenIssuer(tokens: OutputTokens, store: Pick<OutputStore, 'findById'>): TokenIssuer {
  return {
    async find(token, { action, path }) {
      const outputId = action === 'read' ? tokens.outputOf(token) : undefined
      const output = outputId === undefined ? undefined : await store.findById(outputId)
      if (!output || output.processId === null || output.mediaPath !== path) return undefined
      return { principal: 'output-viewer', accountId: output.accountId }
    },
  }
}
