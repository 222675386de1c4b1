import { type PipelineFailure } from './messages.ts'

/** What ends a pipeline for good; its message is a sentence for the user. */
export class PipelineError extends Error {
  readonly failure: PipelineFailure

  constructor(failure: PipelineFailure, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'PipelineError'
    this.failure = failure
  }
}
