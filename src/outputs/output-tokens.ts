import { type LinkSigner } from '../core/signed-token.ts'
import { type TokenIssuer } from '../streams/path-tokens.ts'
import { type OutputStore } from './outputs.store.ts'

/**
 * Tokens in the addresses of RTSP outputs, so that they play as they stand. Nothing is stored: a token is good while
 * its output is attached.
 */
export interface OutputTokens {
  issue(outputId: string): string
  /** The output that this token is for, if it is one of ours. */
  outputOf(token: string): string | undefined
}

const PREFIX = 'ot_'
/** The signature carries an end; an output's token has none but its output's. */
const NEVER_MS = Date.UTC(2200, 0, 1)

export function createOutputTokens(signer: LinkSigner): OutputTokens {
  const subject = (outputId: string) => `output ${outputId}`
  return {
    issue: (outputId) => `${PREFIX}${outputId}.${signer.sign(subject(outputId), NEVER_MS)}`,
    outputOf(token) {
      if (!token.startsWith(PREFIX)) return undefined
      const dot = token.indexOf('.')
      const outputId = token.slice(PREFIX.length, dot)
      return signer.isValid(subject(outputId), token.slice(dot + 1), 0) ? outputId : undefined
    },
  }
}

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
