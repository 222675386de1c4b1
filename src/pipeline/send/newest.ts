/** Makes something of a thing once, although several ask for it one after the other; remembers the newest only. */
export function createNewest<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  let newest: { readonly thing: Thing; readonly made: Made } | undefined
  return (thing) => {
    if (newest?.thing !== thing) newest = { thing, made: make(thing) }
    return newest.made
  }
}
