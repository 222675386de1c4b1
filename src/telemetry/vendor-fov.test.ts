import { describe, expect, test } from 'vitest'
import { type PayloadState, vendorFov } from './vendor-fov.ts'

const state = (changes: Partial<PayloadState>): PayloadState => ({
  payloadType: 99,
  zoomFactor: undefined,
  irZoomFactor: undefined,
  zoomShare: undefined,
  ...changes,
})

describe('from the table', () => {
  test.each([
    { camera: 'M30 wide', type: 52, lens: 'wide', h: 71.5, v: 44.1 },
    { camera: 'M4TD wide', type: 99, lens: 'wide', h: 69.6, v: 42.7 },
    { camera: 'H20N wide', type: 61, lens: 'wide', h: 66.2, v: 40.3 },
    { camera: 'Z30 at zoom 1', type: 20, lens: 'zoom', zoom: 1, h: 63.7, v: 38.5 },
    { camera: 'M30 zoomed to 2', type: 52, lens: 'zoom', zoom: 2, h: 39.7, v: 22.9 },
    { camera: 'H20 zoomed to 5', type: 42, lens: 'zoom', zoom: 5, h: 16.4, v: 9.3 },
    { camera: 'M4TD zoomed to 7', type: 99, lens: 'zoom', zoom: 7, h: 11.8, v: 6.6 },
    { camera: 'H30T zoomed to 23', type: 83, lens: 'zoom', zoom: 23, h: 3.6, v: 2.0 },
    { camera: 'M3T thermal', type: 67, lens: 'ir', h: 45.8, v: 37.3 },
    { camera: 'M3T thermal at rest', type: 67, lens: 'ir', ir: 2, h: 45.8, v: 37.3 },
    { camera: 'H20N thermal', type: 61, lens: 'ir', ir: 2, h: 36.3, v: 29.4 },
    { camera: 'H20N thermal, far', type: 61, lens: 'ir', ir: 8, h: 9.8, v: 7.8 },
  ] as const)('$camera', ({ type, lens, h, v, ...rest }) => {
    const zoomFactor = 'zoom' in rest ? rest.zoom : undefined
    const irZoomFactor = 'ir' in rest ? rest.ir : undefined
    const fov = vendorFov(state({ payloadType: type, zoomFactor, irZoomFactor }), { lens })!
    expect(Math.abs(fov.hfovDeg! - h)).toBeLessThan(0.1)
    expect(Math.abs(fov.vfovDeg! - v)).toBeLessThan(0.2)
  })

  test('a wide picture does not zoom, whatever zoom factor is told', () => {
    expect(vendorFov(state({ zoomFactor: 7 }), { lens: 'wide' })).toEqual(vendorFov(state({}), { lens: 'wide' }))
  })

  test('the zoom picture’s place in the wide one wins over the nominal zoom', () => {
    const fov = vendorFov(state({ zoomFactor: 7, zoomShare: 0.127 }), { lens: 'zoom' })!
    expect(fov.hfovDeg).toBeCloseTo((2 * Math.atan(0.127 * Math.tan((34.8 * Math.PI) / 180)) * 180) / Math.PI, 9)
  })

  test.each([
    { name: 'a camera that is not in the table', state: state({ payloadType: 7 }), lens: 'wide' },
    { name: 'a camera with a lens that can be changed', state: state({ payloadType: 50 }), lens: 'wide' },
    { name: 'no camera', state: state({ payloadType: undefined }), lens: 'wide' },
    { name: 'a lens that the camera lacks', state: state({ payloadType: 52 }), lens: 'ir' },
    { name: 'a zoom lens of which the zoom is not told', state: state({}), lens: 'zoom' },
  ] as const)('nothing is guessed for $name', ({ state: reported, lens }) => {
    expect(vendorFov(reported, { lens })).toBeUndefined()
  })
})

describe('as configured', () => {
  test('rows can be added and replaced', () => {
    const extraLenses = [
      { payload_type: 700, lens: 'wide', hfov: 50 },
      { payload_type: 99, lens: 'wide', hfov: 68 },
    ] as const
    expect(vendorFov(state({ payloadType: 700 }), { lens: 'wide', extraLenses })!.hfovDeg).toBeCloseTo(50, 9)
    expect(vendorFov(state({}), { lens: 'wide', extraLenses })!.hfovDeg).toBeCloseTo(68, 9)
  })

  test('both fields of view hold as they are, and without any camera in the message', () => {
    const fov = vendorFov(state({ payloadType: undefined }), { lens: 'wide', hfovDeg: 60, vfovDeg: 40 })!
    expect(fov.hfovDeg).toBeCloseTo(60, 9)
    expect(fov.vfovDeg).toBeCloseTo(40, 9)
    expect(fov).not.toHaveProperty('fovRule')
  })

  test('they are divided by the zoom in tangent space', () => {
    const fov = vendorFov(state({ zoomFactor: 4, zoomShare: 0.2 }), { lens: 'zoom', hfovDeg: 60, vfovDeg: 40 })!
    expect(fov.hfovDeg).toBeCloseTo((2 * Math.atan(Math.tan(Math.PI / 6) / 4) * 180) / Math.PI, 9)
    expect(fov.vfovDeg).toBeCloseTo((2 * Math.atan(Math.tan(Math.PI / 9) / 4) * 180) / Math.PI, 9)
  })

  test('the horizontal one alone suits any shape', () => {
    expect(vendorFov(state({}), { lens: 'wide', hfovDeg: 60 })).toMatchObject({ fovRule: 'square-pixels' })
  })
})
