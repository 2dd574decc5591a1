/**
 * The fields of Lemmy's answers that we read, for both 0.19 (/api/v3) and 1.0 (/api/v4).
 *
 * 0.19 was recorded. 1.0 is documented in the upgrade guide (join-lemmy.org/docs/contributors, "API v4"),
 * in the OpenAPI page (join-lemmy.org/api/main) and in the sources of both (LemmyNet/lemmy,
 * crates/db_schema and crates/db_views). Each field below names its source.
 */
import { z } from 'zod'
import { lenient, shortList } from '../reading/lenient-shapes.ts'

const post = z.object({
  id: z.int(),
  name: lenient(z.string()),
  /** PieFed, whose version of Lemmy's API differs here. */
  title: lenient(z.string()),
  url: lenient(z.string()),
  thumbnail_url: lenient(z.string()),
  ap_id: lenient(z.string()),
  nsfw: lenient(z.boolean()),
  removed: lenient(z.boolean()),
  deleted: lenient(z.boolean()),
  /** Since 0.19.4, and in 1.0 (source/post.rs). */
  url_content_type: lenient(z.string()),
  embed_video_url: lenient(z.string()),
  /** 0.19. */
  published: lenient(z.string()),
  /** 1.0: columns with a time end in '_at' (source/post.rs). */
  published_at: lenient(z.string()),
  /** 1.0 has the `counts` of 0.19 in the post itself (source/post.rs). */
  score: lenient(z.number()),
  comments: lenient(z.number()),
})

/** A person or a community. */
const actor = z.object({
  name: lenient(z.string()),
  local: lenient(z.boolean()),
  nsfw: lenient(z.boolean()),
  /** 0.19. */
  actor_id: lenient(z.string()),
  /** 1.0: "Rename actor_id columns to ap_id" (upgrade guide). */
  ap_id: lenient(z.string()),
})

export const postView = z.object({
  post,
  creator: lenient(actor),
  community: lenient(actor),
  /** 0.19. */
  counts: lenient(z.object({ score: lenient(z.number()), comments: lenient(z.number()) })),
  /** Since 0.19.6, and in 1.0 (views/post/lib.rs). Describes the file at `link`. */
  image_details: lenient(
    z.object({ link: z.string(), width: lenient(z.number()), height: lenient(z.number()) }),
  ),
})

export type LemmyPostView = z.infer<typeof postView>
export type LemmyActor = z.infer<typeof actor>

/** The maximum of an import. */
const views = lenient(shortList(1000))

export const listing = z
  .object({
    /** 0.19, and the search of 1.0 (lemmy-js-client 1.0, SearchResponse). */
    posts: views,
    /** 1.0 (upgrade guide, "Cursor pagination"; PagedResponse). */
    items: views,
    /** The search of 1.0 before its release: mixed results, distinguished by `type_`. */
    search: views,
    next_page: lenient(z.string()),
  })
  .transform(({ posts, items, search, next_page }) => ({
    views: posts ?? items ?? search ?? null,
    nextPage: next_page ?? null,
  }))

/** `GET /api/v4/site` (OpenAPI, GetSiteResponse), which 0.19 does not have. */
export const site = z.object({ version: z.string() })

/** Both versions send { error: 'some_word' }: recorded for 0.19, LemmyErrorType in 1.0. */
export const refusal = z.object({ error: z.string() })
