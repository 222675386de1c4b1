import { expect, test } from 'vitest'
import { hasPlate } from '../core/detection.ts'
import { estimatedSizeM, flyingKind, vehicleType } from './object-kind.ts'

test.each([
  { name: 'a class is its own type', className: 'car', type: 'car' },
  { name: 'a size that fits changes nothing', className: 'car', groundWidthM: 4.6, type: 'car' },
  { name: 'nine metres are no car, but truck or bus', className: 'car', groundWidthM: 9, type: 'large vehicle' },
  { name: 'a small truck may be a pickup', className: 'truck', groundWidthM: 5, type: 'truck' },
  { name: 'a bus stays a bus', className: 'bus', groundWidthM: 12, type: 'bus' },
  { name: 'what is only known as a vehicle stays so', className: 'vehicle', groundWidthM: 4, type: 'vehicle' },
  { name: 'a person has none', className: 'person', type: null },
  { name: 'a drone has none', className: 'drone', type: null },
])('vehicle type: $name', ({ className, groundWidthM, type }) =>
  expect(vehicleType({ className, pictures: [], ...(groundWidthM && { groundWidthM }) })).toBe(type),
)

const drone = { className: 'drone', pictures: [] }
test.each([
  { name: 'angle and distance give the size', track: { ...drone, angularWidthDeg: 0.2, distanceM: 100 }, size: 0.349 },
  {
    name: 'the longer side counts',
    track: { ...drone, angularWidthDeg: 0.1, angularHeightDeg: 0.2, distanceM: 100 },
    size: 0.349,
  },
  { name: 'no distance, no size', track: { ...drone, angularWidthDeg: 0.2 }, size: null },
  { name: 'no angle, no size', track: { ...drone, distanceM: 100 }, size: null },
  { name: 'nonsense gives no size', track: { ...drone, angularWidthDeg: 0.2, distanceM: Number.NaN }, size: null },
  {
    name: 'cars are not measured',
    track: { className: 'car', pictures: [], angularWidthDeg: 2, distanceM: 100 },
    size: null,
  },
])('size: $name', ({ track, size }) => expect(estimatedSizeM(track)).toBe(size))

test('flying things have a kind, and vehicles plates', () => {
  expect(['helicopter', 'bird', 'car', 'person'].map(flyingKind)).toEqual(['helicopter', 'bird', null, null])
  expect(['car', 'motorcycle', 'bicycle', 'boat', 'person'].filter(hasPlate)).toEqual(['car', 'motorcycle'])
})
