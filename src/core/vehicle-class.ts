/** Classes that carry a registration number where a camera can see it: of these larger pictures are kept, and plates looked for. */
const classes: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle', 'vehicle', 'van'])

export function hasPlate(className: string): boolean {
  return classes.has(className)
}
