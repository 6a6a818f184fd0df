import { useSyncExternalStore } from 'react'

const laptop = matchMedia('(width >= 1100px)')
const dark = matchMedia('(prefers-color-scheme: dark)')
const phone = matchMedia('(width < 640px)')

/** True where three columns have room. */
export function useWide(): boolean {
  return useMedia(laptop)
}

export function usePhone(): boolean {
  return useMedia(phone)
}

/** The system asks for the dark theme. */
export function useDarkSystem(): boolean {
  return useMedia(dark)
}

function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
