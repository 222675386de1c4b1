/** How the bytes of a canvas become the numbers of a tensor: byte × factor + offset, channel by channel. */
export interface TensorFilling {
  /** `pixels`: the three channels of a pixel stand together. `planes`: all of one channel, then all of the next. */
  readonly layout: 'pixels' | 'planes'
  readonly order: 'rgb' | 'bgr'
  /** In the order of the tensor's channels; left out when the bytes go in as they are. */
  readonly scaling?: { readonly factors: readonly number[]; readonly offsets: readonly number[] }
}

/**
 * Fills `tensor` from an RGB canvas. 640×640 to planes of floats takes 2–3 ms, so it is done in the model's thread; only
 * the text of this function gets there. One loop over pixels beats one over channels.
 */
export function fillTensor(
  canvas: Uint8Array,
  tensor: Float32Array | Uint8Array,
  { layout, order, scaling }: TensorFilling,
): void {
  if (layout === 'pixels' && order === 'rgb' && !scaling) return tensor.set(canvas)
  const pixels = canvas.length / 3
  const [step, second, third] = layout === 'pixels' ? ([3, 1, 2] as const) : ([1, pixels, 2 * pixels] as const)
  const [red, blue] = order === 'rgb' ? ([0, 2] as const) : ([2, 0] as const)
  const [factor0, factor1, factor2] = (scaling?.factors ?? [1, 1, 1]) as readonly [number, number, number]
  const [offset0, offset1, offset2] = (scaling?.offsets ?? [0, 0, 0]) as readonly [number, number, number]
  for (let from = 0, to = 0; from < canvas.length; from += 3, to += step) {
    tensor[to] = canvas[from + red]! * factor0 + offset0
    tensor[to + second] = canvas[from + 1]! * factor1 + offset1
    tensor[to + third] = canvas[from + blue]! * factor2 + offset2
  }
}
