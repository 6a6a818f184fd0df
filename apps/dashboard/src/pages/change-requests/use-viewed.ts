import type { ChangeRequest, ViewedFile } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type FilePatch, patchHash } from '../../review/patch-parts.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

/**
 * The files that the person has looked at, on any device, each as it is now: one that changes afterwards is to be read
 * again.
 */
export function useViewed(cr: ChangeRequest, parts: readonly FilePatch[]) {
  const { changeRequests } = useClient().projects
  const queries = useQueryClient()
  const queryKey = useMemo(() => ['viewed', cr.cr_id], [cr.cr_id])
  const { data: marks = none } = useQuery({
    queryKey,
    queryFn: () => changeRequests.viewed(cr.project_id, cr.cr_id),
  })
  const hashes = useHashes(parts)
  // What was clicked stands until its answer, from the click on: a controlled box would turn back until the cache is read.
  const [clicked, setClicked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const viewed = useMemo(() => {
    const kept = marks.filter(({ path, patch_hash }) => hashes.get(path) === patch_hash)
    const paths = new Set(kept.map(({ path }) => path))
    for (const [path, value] of clicked) {
      if (value) paths.add(path)
      else paths.delete(path)
    }
    return paths
  }, [hashes, marks, clicked])
  const mark = useMutation({
    mutationFn: (file: ViewedFile & { readonly viewed: boolean }) =>
      changeRequests.setViewed(cr.project_id, cr.cr_id, file),
    onSuccess: (files) => queries.setQueryData(queryKey, files),
    onError: () => queries.invalidateQueries({ queryKey }),
    onSettled: (_files, _error, { path }) =>
      setClicked((before) => new Map([...before].filter(([clickedPath]) => clickedPath !== path))),
  })
  const setViewed = (path: string, value: boolean) => {
    const patch_hash = hashes.get(path)
    if (patch_hash === undefined) return
    setClicked((before) => new Map(before).set(path, value))
    mark.mutate({ path, patch_hash, viewed: value })
  }
  // Without the digests, which come a moment after the diff, a click would be lost: there is no box yet.
  return { viewed, setViewed: hashes.size === 0 ? undefined : setViewed, error: mark.error }
}

const none: readonly ViewedFile[] = []

/** By path; empty where the browser computes no digest. */
function useHashes(parts: readonly FilePatch[]): ReadonlyMap<string, string> {
  const [hashes, setHashes] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    let gone = false
    const all = parts.map(async ({ file, patch }) => [file.path, await patchHash(patch ?? '')] as const)
    void Promise.all(all).then((found) => {
      if (!gone) setHashes(new Map(found.flatMap(([path, hash]) => (hash === null ? [] : [[path, hash]]))))
    })
    return () => {
      gone = true
    }
  }, [parts])
  return hashes
}
