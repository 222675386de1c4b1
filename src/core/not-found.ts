import { AppError } from './errors.ts'

/** Nothing is at this address; `instead` ends the sentence, with what was probably meant. */
export function notFound(method: string, path: string, instead = 'see /docs for what there is.'): AppError {
  return new AppError('not-found', { method, path, instead })
}
