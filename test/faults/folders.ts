/**
 * A machine folder with fifty thousand pictures, and folders with links to the outside. The first page
 * arrives quickly, memory stays small, and the service serves only files inside the offered folder.
 */
import { execFileSync } from 'node:child_process'
import { link, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { exifJpeg, tiff } from '../support/exif.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { MachineFolders } from '../support/machine-folders.ts'
import { createMachineFolders } from '../support/machine-folders.ts'
import { forgetPeak, peakMb, residentMb } from '../support/process-figures.ts'
import { plainJpeg } from '../support/sample-media.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService, unlimited, untilQuiet } from '../support/service-process.ts'

const pictures = 50_000
const maxPageMs = 1000
const maxGrowthMb = 100
const swaps = 1000
const pageLimit = 50
const differentDays = 250

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  shortTests: ['test/api/folders.test.ts'],
  mutant: {
    file: 'src/server/features/folders/folder-path.ts',
    line: 'return isBelow(root, realPath) ? realPath : null',
    becomes: 'return realPath',
  },
  checks: [
    {
      load: `a folder of ${pictures} pictures, asked for the first time and again`,
      goal: `each first page within ${maxPageMs / 1000} s, the last taken first, a new one noticed, RSS ≤ +${maxGrowthMb} MB`,
      run: readLarge,
    },
    {
      load: `links of every kind out of the folder, and ${swaps} servings while a picture and a link change places`,
      goal: 'not a byte from outside, and what lies within is served',
      machine: 'shared',
      run: leadElsewhere,
    },
  ],
}

type Visit = { readonly service: ServiceProcess; readonly folders: MachineFolders; cookie: string }

async function open(tools: FaultTools): Promise<Visit> {
  const folders = await createMachineFolders()
  tools.afterwards(() => folders.remove())
  await folders.write('small/one.jpg', await plainJpeg({ width: 64, height: 48 }))
  const settings = { ...unlimited, FOLDERS_DIR: folders.dir, CAPTIONS: 'off' }
  const service = await startService(settings)
  tools.afterwards(() => service.stop())
  const visit = { service, folders, cookie: await devCookie(service) }
  // Modules that the first request loads do not count as memory of a folder.
  await page(visit, 'small')
  return visit
}

async function readLarge(tools: FaultTools): Promise<Verdict> {
  const visit = await open(tools)
  const { service, folders } = visit
  const count = tools.scaled(pictures, 1000)
  await fillFolder(folders, count)
  await untilQuiet(service)
  const beforeMb = residentMb(service.pid)
  forgetPeak(service.pid)
  const cold = await timed(() => page(visit, 'large'))
  await untilQuiet(service)
  const warm = await timed(() => page(visit, 'large'))
  const latest = await picture('2031:01:01 00:00:00')
  await folders.write('large/new.jpg', latest)
  const again = await timed(() => page(visit, 'large'))
  await untilQuiet(service)
  const after = await page(visit, 'large')
  const grownMb = Math.round(peakMb(service.pid) - beforeMb)
  const measured = `${count} pictures: ${cold.ms} ms, then ${warm.ms} ms, with a new one ${again.ms} ms, +${grownMb} MB`
  const days = warm.value.map(({ created_utc: taken }) => taken)
  return verdict(measured, {
    'a first page took too long': [cold, warm, again].every(({ ms }) => ms <= maxPageMs),
    'a page is not full': [cold, warm, again].every(({ value }) => value.length === pageLimit),
    'not the last taken first': days.every((taken, at) => taken <= (days[at - 1] ?? Infinity)),
    'the last taken is missing': warm.value[0]?.title === `picture ${count - 1}`,
    'the new one was not noticed': after[0]?.title === 'new',
    'too much memory': grownMb <= maxGrowthMb,
  })
}

async function leadElsewhere(tools: FaultTools): Promise<Verdict> {
  const visit = await open(tools)
  const { folders, service } = visit
  const secret = await plainJpeg({ width: 64, height: 48, seed: 77 })
  const inside = await plainJpeg({ width: 80, height: 60, seed: 78 })
  await folders.writeOutside('secret.jpg', secret)
  await folders.write('mixed/inside.jpg', inside)
  await folders.write('.dots/hidden.jpg', secret)
  const at = (path: string) => join(folders.dir, 'mixed', path)
  const ways = {
    'absolute.jpg': join(folders.outside, 'secret.jpg'),
    'relative.jpg': '../../private/secret.jpg',
    'chain.jpg': 'absolute.jpg',
    'hidden.jpg': '../.dots/hidden.jpg',
    'device.jpg': '/dev/zero',
    'folder.jpg': folders.outside,
    'circle.jpg': 'circle.jpg',
    'nowhere.jpg': 'missing.jpg',
  }
  for (const [name, target] of Object.entries(ways)) await symlink(target, at(name))
  execFileSync('mkfifo', [at('pipe.jpg')])
  await symlink('../mixed/inside.jpg', at('within.jpg'))
  await symlink(folders.outside, join(folders.dir, 'way out'))
  const posts = await page(visit, 'mixed')
  const outward = await statusOfPage(visit, 'way out')
  const target = posts.find(({ title }) => title === 'inside')?.media_url ?? ''
  const counts = { inside: 0, refused: 0, outside: 0, other: 0 }
  let isOver = false
  const swapping = swapForever(folders, inside, () => isOver)
  for (let round = 0; round < tools.scaled(swaps, 200); round += 1) {
    const bytes = await bytesAt(new URL(target, service.url))
    if (bytes === null) counts.refused += 1
    else if (bytes.equals(inside)) counts.inside += 1
    else if (bytes.equals(secret)) counts.outside += 1
    else counts.other += 1
  }
  isOver = true
  await swapping
  const titles = posts.map(({ title }) => title).toSorted()
  return verdict(`listed ${titles.join(', ')}; ${JSON.stringify(counts)}`, {
    'something else is listed': titles.join() === 'inside,within',
    'a folder outside was read': outward === 502,
    'something from outside was served': counts.outside === 0 && counts.other === 0,
    'nothing was served': counts.inside > 0,
    'the link never stood there': counts.refused > 0,
  })
}

/** Returns null if the file is missing, or if it changed during the answer, which cuts the answer off. */
async function bytesAt(url: URL): Promise<Buffer | null> {
  const answer = await fetch(url)
  const bytes = await answer.arrayBuffer().catch(() => null)
  return answer.status === 404 || bytes === null ? null : Buffer.from(bytes)
}

/** Replaces the picture with a link to the outside and back, as fast as possible. */
async function swapForever(folders: MachineFolders, inside: Buffer, isOver: () => boolean) {
  const [place, spare] = ['mixed/inside.jpg', '.spare'].map((path) => join(folders.dir, path))
  if (place === undefined || spare === undefined) return
  while (!isOver()) {
    await symlink(join(folders.outside, 'secret.jpg'), spare)
    await rename(spare, place)
    await writeFile(spare, inside)
    await rename(spare, place)
  }
  await rm(spare, { force: true })
}

/**
 * Makes many names for some hundred pictures, each with another date, so that the disk does not need to
 * hold all of them.
 */
async function fillFolder(folders: MachineFolders, count: number): Promise<void> {
  for (let day = 0; day < differentDays; day += 1)
    await folders.write(`.days/${day}.jpg`, await picture(dayOf(day)))
  await folders.write(`large/picture ${count - 1}.jpg`, await picture('2030:01:01 00:00:00'))
  for (let number = 0; number < count - 1; number += 1)
    await link(
      join(folders.dir, `.days/${number % differentDays}.jpg`),
      join(folders.dir, `large/picture ${number}.jpg`),
    )
}

function dayOf(day: number): string {
  const text = new Date(Date.UTC(2020, 0, 1 + day)).toISOString()
  return `${text.slice(0, 10).replaceAll('-', ':')} 12:00:00`
}

async function picture(takenAt: string): Promise<Buffer> {
  const whole = await plainJpeg({ width: 160, height: 120 })
  return Buffer.concat([exifJpeg(tiff({ takenAt })).subarray(0, -3), whole.subarray(2)])
}

async function page({ service, cookie }: Visit, folder: string) {
  const client = createClient(api, { baseUrl: service.url, headers: () => ({ cookie }) })
  const body = { subfeeds: `folder:${folder}`, limit: pageLimit }
  return (await client.feeds.fetch({ body })).posts
}

async function statusOfPage({ service, cookie }: Visit, folder: string): Promise<number> {
  const answer = await fetch(`${service.url}/api/fetch-feed`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ subfeeds: `folder:${folder}` }),
  })
  return answer.status
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const beganMs = performance.now()
  const value = await work()
  return { ms: Math.round(performance.now() - beganMs), value }
}
