import { AppError, type InputError } from './errors.ts'

/** The answer to input of which each of these places is wrong. */
export function inputInvalid(errors: readonly InputError[], cause?: unknown): AppError {
  return new AppError('input-invalid', {}, { errors, cause })
}
