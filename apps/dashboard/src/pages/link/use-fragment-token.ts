import { useEffect, useState } from 'react'
import { tokenIn } from '../../tokens/token-in.ts'

/** The token behind `#` of the address, which leaves the address at once: it stays in no history, only in this page. */
export function useFragmentToken(): readonly [token: string, setToken: (token: string) => void] {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    const read = () => {
      if (location.hash === '') return
      setToken(tokenIn(location.hash))
      history.replaceState(history.state, '', location.pathname)
    }
    read()
    globalThis.addEventListener('hashchange', read)
    return () => globalThis.removeEventListener('hashchange', read)
  }, [])
  return [token, setToken]
}
