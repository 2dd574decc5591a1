/**
 * A Lemmy on 127.0.0.1, either 0.19 in the format of the recordings, or 1.0, for which there are no
 * recordings: its format comes from LemmyNet/lemmy and lemmy-js-client, named at each field.
 */
import type { Asked, Reply } from './far-site.ts'
import { serveReplies } from './far-site.ts'

export async function serveLemmy(script: {
  version: '0.19' | '1.0'
  /** Replies to lists and searches of posts. */
  posts?: (asked: Asked, count: number) => Reply | Promise<Reply>
  site?: () => Reply
}) {
  const isSite = ({ path }: Asked) => path.endsWith('/site')
  const site = await serveReplies((asked) => {
    if (isSite(asked)) {
      if (script.site) return script.site()
      // 0.19 has no /api/v4; actix answers 404 without a body.
      if (script.version === '0.19') return { status: 404, body: '' }
      // GetSiteResponse of 1.0 (join-lemmy.org/api/main): `version` and many other fields.
      return { body: { version: '1.0.0', site_view: {}, admins: [] } }
    }
    const answer = script.posts ?? (() => lemmyList(script.version, [1, 2]))
    return answer(asked, postRequests().length - 1)
  })
  const siteRequests = () => site.asked.filter(isSite)
  const postRequests = () => site.asked.filter((asked) => !isSite(asked))
  return { ...site, siteRequests, postRequests, settings: { url: site.origin } }
}

export function lemmyList(
  version: '0.19' | '1.0',
  ids: readonly number[],
  nextPage: string | null = null,
): Reply {
  if (version === '0.19') {
    // As in lemmy/v3_post_list_lemmy_world_0.19_trimmed.json.
    return { body: { posts: ids.map((id) => oldPostView(id)), next_page: nextPage } }
  }
  // PagedResponse of 1.0 (crates/diesel_utils/src/pagination.rs): a missing cursor is omitted.
  const cursor = nextPage === null ? {} : { next_page: nextPage }
  return { body: { items: ids.map((id) => newPostView(id)), ...cursor } }
}

/** PostView of 0.19, as recorded. */
export function oldPostView(id: number, post: Record<string, unknown> = {}) {
  return {
    post: {
      id,
      name: `Title ${id}`,
      url: `https://lemmy.example/pictrs/image/${id}.png`,
      thumbnail_url: `https://lemmy.example/pictrs/image/${id}-small.png`,
      ap_id: `https://lemmy.example/post/${id}`,
      published: '2026-08-20T20:31:39.106789Z',
      nsfw: false,
      removed: false,
      deleted: false,
      local: true,
      ...post,
    },
    creator: { id: 1, name: 'ann', local: true, actor_id: 'https://lemmy.example/u/ann' },
    community: {
      id: 2,
      name: 'pictures',
      nsfw: false,
      local: true,
      actor_id: 'https://lemmy.example/c/pictures',
    },
    counts: { post_id: id, comments: 5, score: 7, upvotes: 8, downvotes: 1 },
  }
}

/** PostView of 1.0 (crates/db_views/post/src/lib.rs). */
export function newPostView(id: number, post: Record<string, unknown> = {}) {
  return {
    // Post (crates/db_schema/src/source/post.rs): `published_at`, and the counts inside.
    post: {
      id,
      name: `Title ${id}`,
      url: `https://lemmy.example/pictrs/image/${id}.png`,
      url_content_type: 'image/png',
      thumbnail_url: `https://lemmy.example/pictrs/image/${id}-small.png`,
      ap_id: `https://lemmy.example/post/${id}`,
      published_at: '2026-08-20T20:31:39.106789Z',
      nsfw: false,
      removed: false,
      deleted: false,
      local: true,
      comments: 5,
      score: 7,
      upvotes: 8,
      downvotes: 1,
      federation_pending: false,
      ...post,
    },
    // Person and Community: `ap_id` for `actor_id` (upgrade guide, "Other breaking changes").
    creator: { id: 1, name: 'bob', local: false, ap_id: 'https://other.example/u/bob' },
    community: {
      id: 2,
      name: 'pictures',
      nsfw: false,
      local: false,
      ap_id: 'https://other.example/c/pictures',
    },
    // ImageDetails (crates/db_schema/src/source/images.rs), of the file that it links.
    image_details: {
      link: `https://lemmy.example/pictrs/image/${id}.png`,
      width: 800,
      height: 600,
      content_type: 'image/png',
    },
    creator_is_admin: false,
    can_mod: false,
    tags: [],
  }
}
