/**
 * Action Message Format 0, the language of RTMP's commands. Names of an object are the client's, so objects
 * have no prototype that they could reach.
 */
export type AmfValue = undefined | null | boolean | number | string | Date | readonly AmfValue[] | AmfObject
export interface AmfObject {
  readonly [name: string]: AmfValue
}

/** Type markers (AMF0 specification §2.1). */
export const AMF0 = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  reference: 7,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
  unsupported: 13,
  xmlDocument: 15,
  typedObject: 16,
} as const

export function isAmfObject(value: AmfValue): value is AmfObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
