import { describe, expect, test } from 'vitest'
import { parseModelJson } from './model-json.ts'

const minimal = { name: 'mine', family: 'yolov8', classes: ['person', 'car'], licence: 'AGPL-3.0' }
const parse = (changes: object = {}) => parseModelJson(JSON.stringify({ ...minimal, ...changes }))

describe('parseModelJson', () => {
  test('what is not said is as usual for the family', () => {
    expect(parse()).toMatchObject({
      name: 'mine',
      inputSize: undefined,
      classes: [
        { id: 0, name: 'person' },
        { id: 1, name: 'car' },
      ],
      areAllClasses: true,
      maxOverlap: 0.7,
      picture: { fit: 'letterbox', padding: 114, order: 'rgb', range: 1, mean: [0, 0, 0], deviation: [1, 1, 1] },
    })
    expect(parse({ family: 'detr' }).picture).toMatchObject({ fit: 'stretch' })
  })

  test('what is said holds', () => {
    const input = { width: 640, height: 384, order: 'bgr', std: [0.2, 0.3, 0.4], fit: 'stretch' }
    expect(parse({ input, nms_iou: null })).toMatchObject({
      inputSize: { width: 640, height: 384 },
      maxOverlap: null,
      picture: { fit: 'stretch', order: 'bgr', range: 1, mean: [0, 0, 0], deviation: [0.2, 0.3, 0.4] },
    })
  })

  test('classes named by their number leave the others without a meaning', () => {
    const { classes, areAllClasses } = parse({ classes: { 1: 'person', 3: 'car' } })
    expect(classes).toEqual([undefined, { id: 1, name: 'person' }, undefined, { id: 3, name: 'car' }])
    expect(areAllClasses).toBe(false)
  })

  test.each<{ changes: object; says: string | RegExp }>([
    { changes: { family: 'yolov5' }, says: 'family: is not one of efficientdet, yolox, yolov8, detr, aerie' },
    { changes: { name: undefined }, says: 'name: is missing' },
    { changes: { licence: undefined }, says: 'licence: is missing' },
    { changes: { classes: undefined }, says: /classes: / },
    { changes: { name: 'My Model' }, says: 'name: write it with a–z' },
    { changes: { name: '../../etc' }, says: 'name: write it with a–z' },
    { changes: { classes: [] }, says: /classes: / },
    { changes: { classes: {} }, says: 'classes: name at least one class' },
    { changes: { classes: ['a', 'a'] }, says: 'classes: a name stands there twice' },
    { changes: { classes: ['a,b'] }, says: 'classes.0: has a comma' },
    { changes: { classes: ['a\0b'] }, says: 'classes.0: has a control character' },
    { changes: { classes: { person: 0 } }, says: /classes.* give a list of names, or names by the number/ },
    { changes: { classes: { 9999: 'person' } }, says: 'classes: numbers go up to 1999' },
    { changes: { input: { width: 640 } }, says: 'input: give both width and height' },
    { changes: { input: { width: 1e9, height: 640 } }, says: /input\.width: / },
    { changes: { input: { std: [1, 0, 1] } }, says: 'input.std: must be above 0' },
    { changes: { input: { mean: 0.5 } }, says: /input\.mean: / },
    { changes: { nms_io: 0.5 }, says: 'there is no field nms_io' },
    { changes: { nms_iou: 50 }, says: /nms_iou: / },
    { changes: { decoded: true }, says: 'decoded: is only for the family yolox' },
  ])('refuses $changes', ({ changes, says }) => expect(() => parse(changes)).toThrow(says))

  test('says everything that is wrong at once', () => {
    expect(() => parse({ family: 'x', name: 'X' })).toThrow(/^model\.json is wrong: name: .*; family: /)
  })

  test.each(['', 'null', '[]', '"text"', '{'])('refuses %j', (json) => {
    expect(() => parseModelJson(json)).toThrow(/^model\.json is /)
  })
})
