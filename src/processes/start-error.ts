import { AppError } from '../core/errors.ts'
import { type PipelineFailure } from '../pipeline/messages.ts'

/** The answer to the caller of `/start` when the pipeline gives up before its first picture. */
export function startError(failure: PipelineFailure, reason: string): AppError {
  switch (failure) {
    case 'source-not-live':
    case 'source-lost':
      return new AppError('source-not-live', { reason })
    case 'source-unreadable':
      return new AppError('source-unreadable', { reason })
    case 'model-unusable':
      return new AppError('model-unusable', { reason })
  }
}
