import { House } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'main', label: 'Home', icon: House, order: 10, to: '/', counts: ['total'] },
]
