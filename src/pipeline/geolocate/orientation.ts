import { radiansPerDegree } from '../../core/numbers.ts'
import { type Lens } from './lens.ts'

/** A direction in local east, north, up. */
export interface Direction {
  readonly east: number
  readonly north: number
  readonly up: number
}

/** Where the camera's axes point, as unit vectors. */
export interface Orientation {
  readonly forward: Direction
  /** Along the picture's rows. */
  readonly right: Direction
  /** Along the picture's columns. */
  readonly down: Direction
  /** The camera's right side before it is rolled: the axis about which it pitches. */
  readonly levelRight: Direction
}

/**
 * Yaw (clockwise from north), then pitch (positive up), then roll (right side down is positive) of a camera that looks
 * level to the north at first.
 */
export function orientationOf(yawDeg: number, pitchDeg: number, rollDeg: number): Orientation {
  const [sinYaw, cosYaw] = sinCos(yawDeg)
  const [sinPitch, cosPitch] = sinCos(pitchDeg)
  const [sinRoll, cosRoll] = sinCos(rollDeg)
  const forward = { east: sinYaw * cosPitch, north: cosYaw * cosPitch, up: sinPitch }
  const levelRight = { east: cosYaw, north: -sinYaw, up: 0 }
  const levelDown = { east: sinYaw * sinPitch, north: cosYaw * sinPitch, up: -cosPitch }
  return {
    forward,
    right: mix(levelRight, cosRoll, levelDown, sinRoll),
    down: mix(levelDown, cosRoll, levelRight, -sinRoll),
    levelRight,
  }
}

/** The unit vector from the camera through a pixel. */
export function lineOfSight({ forward, right, down }: Orientation, lens: Lens, u: number, v: number): Direction {
  const x = (u - lens.centreX) / lens.focalX
  const y = (v - lens.centreY) / lens.focalY
  const length = Math.sqrt(1 + x * x + y * y)
  return {
    east: (forward.east + x * right.east + y * down.east) / length,
    north: (forward.north + x * right.north + y * down.north) / length,
    up: (forward.up + x * right.up + y * down.up) / length,
  }
}

function sinCos(angleDeg: number): readonly [number, number] {
  const angle = angleDeg * radiansPerDegree
  return [Math.sin(angle), Math.cos(angle)]
}

function mix(a: Direction, shareA: number, b: Direction, shareB: number): Direction {
  return {
    east: a.east * shareA + b.east * shareB,
    north: a.north * shareA + b.north * shareB,
    up: a.up * shareA + b.up * shareB,
  }
}
