/** Computes once for several callers that pass the same object one after the other; only the last result is kept. */
export function memoizeLast<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  let last: { readonly thing: Thing; readonly made: Made } | undefined
  return (thing) => {
    if (last?.thing !== thing) last = { thing, made: make(thing) }
    return last.made
  }
}
