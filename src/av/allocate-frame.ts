import { type AVPixelFormat, Frame } from 'node-av'
import { type Size } from '../core/detection.ts'
import { check } from './faults.ts'

/** An empty frame with memory for its pixels; the caller frees it. */
export function allocateFrame({ width, height }: Size, format: AVPixelFormat): Frame {
  const frame = new Frame()
  frame.alloc()
  try {
    Object.assign(frame, { width, height, format } satisfies Partial<Frame>)
    check(frame.getBuffer())
    return frame
  } catch (error) {
    frame.free()
    throw error
  }
}
