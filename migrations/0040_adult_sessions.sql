-- Sessions that are adult as a whole: their owner said so, or their theme is adult.

-- What was published as safe and called adult later is adult in the community too.
update community_sessions published set nsfw = true
from sessions session
where session.id = published.session_id and not published.nsfw
  and (session.nsfw_given or coalesce(session.caption_theme, 'custom') <> 'custom');

-- The change may end a viewer's access to the events of the session. The notification only names the
-- session whose streams are checked again.
create trigger sessions_adult after update of nsfw_given, caption_theme on sessions
  for each row when ((old.nsfw_given, old.caption_theme)
    is distinct from (new.nsfw_given, new.caption_theme))
  execute function notify_session_access('id');
