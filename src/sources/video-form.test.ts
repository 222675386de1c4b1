import { expect, test } from 'vitest'
import { AppError } from '../core/errors.ts'
import { checkForm, MAX_FIELD_BYTES, readField, toFormError } from './video-form.ts'

test.each([
  { isForm: true, type: 'multipart/form-data; boundary=x', code: undefined },
  { isForm: true, type: 'multipart/form-data; boundary="x y"; charset=utf-8', code: undefined },
  { isForm: false, type: undefined, code: 'media-type-unsupported' },
  { isForm: true, type: 'multipart/form-data; boundary=', code: 'request-malformed' },
  { isForm: true, type: 'multipart/form-data; BOUNDARY=""; charset=utf-8', code: 'request-malformed' },
])('$type is refused by $code', ({ isForm, type, code }) => {
  const check = () => checkForm(isForm, type)
  if (code === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code }))
})

test.each([
  { field: 'alias', value: 'Gate', read: { value: 'Gate' } },
  { field: 'alias', value: '{"a":1}', read: { value: '{"a":1}' } },
  { field: 'telemetry_cfg', value: '{"type":"websocket"}', read: { value: { type: 'websocket' } } },
  { field: 'telemetry_cfg', value: ' ', read: { value: undefined } },
  { field: 'telemetry_cfg', value: 'null', read: { value: null } },
  { field: 'telemetry_cfg', value: { type: 'static' }, read: { value: { type: 'static' } } },
  { field: 'telemetry_cfg', value: '{type}', read: { path: 'body.telemetry_cfg', message: /^It is not JSON/ } },
  { field: 'file', value: 'flight.mp4', read: { path: 'body.file', message: /^It is text; send the file itself/ } },
  {
    field: 'alias',
    value: 'x',
    isCut: true,
    read: { path: 'body.alias', message: RegExp(`at most ${MAX_FIELD_BYTES}`) },
  },
])('the field $field with $value', ({ field, value, isCut = false, read }) => {
  const { message, ...rest } = read as { message?: RegExp }
  const wanted = message ? { ...rest, message: expect.stringMatching(message) } : rest
  expect(readField({ fieldname: field, value, valueTruncated: isCut })).toEqual(wanted)
})

const withCode = (code: string) => Object.assign(new Error('In its own words'), { code })

test.each([
  {
    error: withCode('FST_FILES_LIMIT'),
    says: { code: 'input-invalid', errors: [{ path: 'body', message: /^One file/ }] },
  },
  {
    error: withCode('FST_FIELDS_LIMIT'),
    says: { code: 'input-invalid', errors: [{ path: 'body', message: /too many/ }] },
  },
  {
    error: withCode('FST_PARTS_LIMIT'),
    says: { code: 'input-invalid', errors: [{ path: 'body', message: /too many/ }] },
  },
  { error: withCode('FST_MP_PREMATURE_CLOSE'), says: { code: 'upload-incomplete' } },
  { error: new Error('Unexpected end of multipart data'), says: { code: 'upload-incomplete' } },
  { error: new Error('Multipart: Boundary not found'), says: { code: 'request-malformed' } },
])('$error is said as $says.code', ({ error, says }) => {
  const said = toFormError(error)
  expect(said).toBeInstanceOf(AppError)
  expect(said).toMatchObject({ code: says.code, cause: error })
  for (const [at, { path, message }] of (says.errors ?? []).entries())
    expect((said as AppError).errors![at]).toEqual({ path, message: expect.stringMatching(message) })
})

test.each([new AppError('disk-full'), new Error('Of another kind'), 'no error at all'])(
  '%s is nobody’s fault of the form and stays',
  (error) => expect(toFormError(error)).toBe(error),
)
