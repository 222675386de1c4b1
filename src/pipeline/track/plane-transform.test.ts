import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inUnits, jacobianAt, type PlaneTransform, transformPoint } from './plane-transform.ts'

const bent: PlaneTransform = [1.02, -0.1, 12, 0.08, 0.97, -7, 0.00008, -0.00005, 1]
const point = fc.record({
  x: fc.double({ min: -500, max: 500, noNaN: true }),
  y: fc.double({ min: -500, max: 500, noNaN: true }),
})

test('in other units and about another centre it is the same map', () => {
  const centre = { x: 384, y: 288 }
  const unit = 384
  const toUnits = ({ x, y }: { x: number; y: number }) => ({ x: (x - centre.x) / unit, y: (y - centre.y) / unit })
  const inside = inUnits(bent, centre, unit)
  fc.assert(
    fc.property(point, (p) => {
      const direct = toUnits(transformPoint(bent, p))
      const through = transformPoint(inside, toUnits(p))
      expect(through.x).toBeCloseTo(direct.x, 6)
      expect(through.y).toBeCloseTo(direct.y, 6)
    }),
  )
})

test('units and back again change nothing', () => {
  const there = inUnits(bent, { x: 384, y: 288 }, 384)
  const back = inUnits(there, { x: -1, y: -0.75 }, 1 / 384)
  back.forEach((value, index) => expect(value).toBeCloseTo(bent[index]!, 9))
})

test('the jacobian is how near points move', () => {
  fc.assert(
    fc.property(point, (p) => {
      const [xx, xy, yx, yy] = jacobianAt(bent, p)
      const h = 1e-4
      const from = transformPoint(bent, p)
      const alongX = transformPoint(bent, { x: p.x + h, y: p.y })
      const alongY = transformPoint(bent, { x: p.x, y: p.y + h })
      expect((alongX.x - from.x) / h).toBeCloseTo(xx, 4)
      expect((alongY.x - from.x) / h).toBeCloseTo(xy, 4)
      expect((alongX.y - from.y) / h).toBeCloseTo(yx, 4)
      expect((alongY.y - from.y) / h).toBeCloseTo(yy, 4)
    }),
  )
})
