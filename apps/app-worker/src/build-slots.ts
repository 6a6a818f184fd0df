/** Room for so many builds at a time: call what it gives when one is over; null while there is none. */
export function buildSlots(max: number): () => (() => void) | null {
  let taken = 0
  return () => {
    if (taken >= max) return null
    taken += 1
    let over = false
    return () => {
      if (!over) taken -= 1
      over = true
    }
  }
}
