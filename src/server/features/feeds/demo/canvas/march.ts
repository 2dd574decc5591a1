/** A probe for soft bodies: rays feel their way by the distance to whatever is nearest. */
import { clamp } from './colour.ts'
import type { Material, Probe, Ray } from './stage.ts'

export type Bodies = {
  distance(x: number, y: number, z: number): number
  material(x: number, y: number, z: number): Material
  /** Small for a wide, soft light; large for a small, hard one. */
  readonly hardness: number
  readonly farthest: number
}

const findSteps = 90
const shadowSteps = 48
const normalReach = 0.0012

export function marchProbe({ distance, material, hardness, farthest }: Bodies): Probe {
  const face = (ray: Ray, x: number, y: number, z: number) => {
    // Four looks, on the corners of a tetrahedron, tell which way the surface faces.
    const a = distance(x + normalReach, y - normalReach, z - normalReach)
    const b = distance(x - normalReach, y - normalReach, z + normalReach)
    const c = distance(x - normalReach, y + normalReach, z - normalReach)
    const d = distance(x + normalReach, y + normalReach, z + normalReach)
    const nx = a - b - c + d
    const ny = -a - b + c + d
    const nz = -a + b - c + d
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1
    ray.nx = nx / length
    ray.ny = ny / length
    ray.nz = nz / length
  }

  return {
    find(ray) {
      const { x, y, z, dx, dy, dz } = ray
      let way = 0.02
      for (let i = 0; i < findSteps; i += 1) {
        const free = distance(x + dx * way, y + dy * way, z + dz * way)
        if (free < 0.0005 + way * 0.0004) break
        way += free
        if (way > farthest) return false
      }
      ray.way = way
      face(ray, x + dx * way, y + dy * way, z + dz * way)
      ray.material = material(x + dx * way, y + dy * way, z + dz * way)
      return true
    },

    sunlight({ x, y, z, dx, dy, dz }) {
      let light = 1
      let way = 0.03
      let before = 1e9
      for (let i = 0; i < shadowSteps && way < 7; i += 1) {
        const free = distance(x + dx * way, y + dy * way, z + dz * way)
        // Where the ray was closest lies between two steps; guessing it keeps rings out of the
        // half-shadow.
        const past = (free * free) / (2 * before)
        const closest = Math.sqrt(Math.max(0, free * free - past * past))
        light = Math.min(light, (hardness * closest) / Math.max(0.01, way - past))
        if (light < 0.004) return 0
        before = free
        way += clamp(free, 0.02, 0.25)
      }
      return light * light * (3 - 2 * light)
    },

    openness({ x, y, z, nx, ny, nz }) {
      let closed = 0
      let weight = 1
      for (let i = 1; i <= 4; i += 1) {
        const out = 0.07 * i * i
        closed += weight * (out - distance(x + nx * out, y + ny * out, z + nz * out))
        weight *= 0.55
      }
      return clamp(1 - closed * 0.95)
    },
  }
}
