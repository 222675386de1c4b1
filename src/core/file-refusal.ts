import { AppError } from './errors.ts'

/** Why a file is not sent, as a problem of ours: the library that sends files would answer a page of HTML. */
export function fileRefusal(status: number, otherwise: AppError): AppError {
  if (status === 412) return new AppError('precondition-failed')
  if (status === 416) return new AppError('range-not-satisfiable')
  return otherwise
}
