import { AppError, type InputError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'

/** How a video is sent. */
export const VIDEO_FORM = 'multipart/form-data with the file in a field `file`, as `curl -F file=@flight.mp4` does'
export const MAX_FIELD_BYTES = 64 * 1024

const FIELDS = 'there may be file, alias, telemetry_cfg.'

export interface FormField {
  readonly fieldname: string
  readonly value: unknown
  readonly valueTruncated: boolean
}

/** Throws when what came cannot be read as a form. */
export function checkForm(isForm: boolean, contentType = ''): void {
  if (!isForm)
    throw new AppError('media-type-unsupported', { media_type: 'a request without a body', wanted: VIDEO_FORM })
  if (/boundary=("")?\s*(;|$)/i.test(contentType)) throw withoutBoundary()
}

/** What a field of the form holds, or what is wrong with it. */
export function readField({ fieldname, value, valueTruncated }: FormField): { value: unknown } | InputError {
  const path = `body.${fieldname}`
  if (fieldname === 'file')
    return { path, message: 'It is text; send the file itself, as `curl -F file=@flight.mp4` does.' }
  if (valueTruncated) return { path, message: `Give at most ${MAX_FIELD_BYTES} bytes.` }
  // The parser has read it already if the field has the type application/json.
  if (fieldname !== 'telemetry_cfg' || typeof value !== 'string') return { value }
  try {
    // One that was left empty says nothing.
    return { value: value.trim() === '' ? undefined : JSON.parse(value) }
  } catch {
    return { path, message: 'It is not JSON; write it as in {"type": "websocket"}, in a shell within single quotes.' }
  }
}

/** The parser's own words for what is wrong with a form, in ours. */
export function toFormError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const message = sentences[code]
  if (message !== undefined) return invalid('body', message, error)
  if (code === 'FST_MP_PREMATURE_CLOSE' || /unexpected end of multipart data$/i.test(error.message))
    return new AppError('upload-incomplete', {}, { cause: error })
  return /^(Multipart: Boundary not found|The needle)/.test(error.message) ? withoutBoundary(error) : error
}

const sentences: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: 'One file is taken, in the field `file`; send each on its own.',
  FST_FIELDS_LIMIT: `There are too many fields; ${FIELDS}`,
  FST_PARTS_LIMIT: `There are too many fields; ${FIELDS}`,
  FST_PROTO_VIOLATION: `One of the fields has a name that is not accepted; ${FIELDS}`,
  FST_INVALID_JSON_FIELD_ERROR: 'A field of the type application/json is not JSON, or too long.',
}

export function invalid(path: string, message: string, cause?: unknown): AppError {
  return inputInvalid([{ path, message }], cause)
}

function withoutBoundary(cause?: unknown): AppError {
  const reason =
    'its content type has no boundary that separates the fields of the form. Leave the content type to your client, which adds one.'
  return new AppError('request-malformed', { reason }, { cause })
}
