import { FolderTree } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'project', label: 'Files', icon: FolderTree, order: 40, to: '/projects/$project_id/files/$' },
]
