// A small file system for tests: a tmpfs that is really full when it is full. Mounting needs root on
// Linux; elsewhere the reason is given, for `skip`. Owns the mount and unmounts it, also at exit.
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly path: string
  /** Takes every block that is left. */
  fill(): void
  /** Gives back what `fill` took. */
  makeRoom(): void
  unmount(): void
}

/** Why no file system can be mounted here; undefined where it can. */
export function whyNoMount(): string | undefined {
  if (process.platform !== 'linux') return 'a small file system is mounted on Linux only'
  if (process.getuid?.() !== 0) return 'mounting a small file system needs root'
  try {
    mountSmallDisk(1).unmount()
    return undefined
  } catch {
    return 'this machine does not let root mount a tmpfs (a container without SYS_ADMIN?)'
  }
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-disk-'))
  const path = join(directory, 'disk')
  mkdirSync(path)
  // PostgreSQL runs as another user than root.
  chmodSync(directory, 0o755)
  const options = `size=${megabytes}m,mode=777`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' })
  const filler = join(path, 'filler')
  const unmount = () => {
    process.off('exit', unmount)
    execFileSync('umount', ['-l', path])
    rmSync(directory, { recursive: true })
  }
  process.once('exit', unmount)
  return {
    path,
    fill: () => fillUp(filler),
    makeRoom: () => rmSync(filler),
    unmount,
  }
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (let size = 1 << 20; size >= 512; ) {
      try {
        writeSync(descriptor, Buffer.alloc(size))
      } catch {
        size /= 2
      }
    }
  } finally {
    closeSync(descriptor)
  }
}
