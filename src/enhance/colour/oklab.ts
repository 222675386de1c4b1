/** A colour in OKLab (Ottosson 2020), where equal distances look equally different: `l` 0 (black) … 1 (white). */
export interface Lab {
  readonly l: number
  readonly a: number
  readonly b: number
}

/** sRGB byte to linear light, 0…1. */
export const linearLight: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

export function linearToLab(red: number, green: number, blue: number): Lab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    l: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  }
}

export function rgbToLab(red: number, green: number, blue: number): Lab {
  return linearToLab(linearLight[red]!, linearLight[green]!, linearLight[blue]!)
}
