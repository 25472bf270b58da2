//! Changes of locks, each in one step under the note's lock.

use std::time::Duration;

use flyball_core::path::ProjectPath;
use flyball_core::policy::PolicyError;
use flyball_core::time::Time;
use flyball_core::workshop::Workshop;

use super::{
    DAMAGED, Holder, Lock, Locks, NOTE, Pause, bound_plans, locked_by_others, mirror, parse, read_all,
};

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_mins(1);

/// The result of a request to work on a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// This session works on it now.
    Bound,
    AlreadyBound,
    HeldBy(Holder),
    /// The task is started without a session: the first that asks gets it.
    Unbound,
}

/// Starts a task, for a session if one is named. A holder without a sign of life for `gone_after` is replaced:
/// a start is explicit, unlike [`bind`].
///
/// # Errors
/// When the note cannot be changed.
pub fn start(
    workshop: &dyn Workshop,
    plan: &ProjectPath,
    who: Option<(&str, &str)>,
    gone_after: Duration,
) -> Result<Binding, PolicyError> {
    acquire(workshop, plan, who, Some(gone_after))
}

/// Binds a session to a plan, unless another one holds it. A missing lock is created.
///
/// # Errors
/// When the note cannot be changed.
pub fn bind(workshop: &dyn Workshop, plan: &ProjectPath, who: (&str, &str)) -> Result<Binding, PolicyError> {
    acquire(workshop, plan, Some(who), None)
}

fn acquire(
    workshop: &dyn Workshop,
    plan: &ProjectPath,
    who: Option<(&str, &str)>,
    gone_after: Option<Duration>,
) -> Result<Binding, PolicyError> {
    let now = workshop.now();
    // The lock file of another tool beside the plan counts as long as the note has none.
    let foreign = mirror::read(workshop, plan);
    let mut binding = Binding::Unbound;
    change(workshop, &mut |locks| {
        let known = locks.0.get(plan).cloned().or_else(|| foreign.clone());
        let lock = known.unwrap_or(Lock { started_at: now, holder: None, paused: None });
        let holder = lock.holder.filter(|holder| gone_after.is_none_or(|after| !holder.is_gone(now, after)));
        let (decided, holder) = decide(holder, who, now);
        // To start a task is to go on with it. A coordinator that comes back may not know that it was paused.
        let goes_on = gone_after.is_some() && !matches!(decided, Binding::HeldBy(_));
        let paused = lock.paused.filter(|_| !goes_on);
        locks.0.insert(plan.clone(), Lock { started_at: lock.started_at, holder, paused });
        binding = decided;
    })?;
    // The note decides: that the mirror cannot be written does not change the result.
    drop(mirror::write(workshop, plan));
    Ok(binding)
}

/// The result for a lock with this holder, and its new holder.
fn decide(holder: Option<Holder>, who: Option<(&str, &str)>, now: Time) -> (Binding, Option<Holder>) {
    match (holder, who) {
        (None, None) => (Binding::Unbound, None),
        (None, Some((client, session))) => {
            let holder = Holder {
                client: client.to_owned(),
                session: session.to_owned(),
                bound_at: now,
                heard_at: now,
                has_ended: false,
            };
            (Binding::Bound, Some(holder))
        }
        (Some(holder), Some(who)) if holder.is_session(who) => {
            // A resumed session is active again, and a lock that another tool wrote learns its client.
            let holder = Holder { client: who.0.to_owned(), heard_at: now, has_ended: false, ..holder };
            (Binding::AlreadyBound, Some(holder))
        }
        (Some(holder), _) => (Binding::HeldBy(holder.clone()), Some(holder)),
    }
}

/// Takes over the lock of the active plan that another tool bound to this session, so that it is known from here on, also
/// when the file is gone.
///
/// # Errors
/// When the note cannot be changed.
pub fn adopt(workshop: &dyn Workshop, who: (&str, &str)) -> Result<(), PolicyError> {
    let locks = read_all(workshop)?;
    let Some((plan, lock)) = locked_by_others(workshop, &locks) else { return Ok(()) };
    if lock.holder.is_some_and(|holder| holder.is_session(who)) {
        bind(workshop, &plan, who)?;
    }
    Ok(())
}

/// Pauses a task that was started. Returns whether that is new.
///
/// # Errors
/// When the note cannot be changed.
pub fn pause(workshop: &dyn Workshop, plan: &ProjectPath, pause: &Pause) -> Result<bool, PolicyError> {
    let set = |paused: &mut Option<Pause>| paused.get_or_insert_with(|| pause.clone()) == pause;
    change_pause(workshop, plan, &set)
}

/// Takes back that a task is paused. Returns whether it was.
///
/// # Errors
/// When the note cannot be changed.
pub fn resume(workshop: &dyn Workshop, plan: &ProjectPath) -> Result<bool, PolicyError> {
    change_pause(workshop, plan, &|paused| paused.take().is_some())
}

fn change_pause(
    workshop: &dyn Workshop,
    plan: &ProjectPath,
    alter: &dyn Fn(&mut Option<Pause>) -> bool,
) -> Result<bool, PolicyError> {
    let foreign = mirror::read(workshop, plan);
    let mut is_new = false;
    change(workshop, &mut |locks| {
        let Some(mut lock) = locks.0.get(plan).cloned().or_else(|| foreign.clone()) else { return };
        is_new = alter(&mut lock.paused);
        if is_new {
            locks.0.insert(plan.clone(), lock);
        }
    })?;
    Ok(is_new)
}

/// Records that a session is active, at most once a minute. Returns whether it was recorded.
///
/// # Errors
/// When the note cannot be read or changed.
pub fn heartbeat(workshop: &dyn Workshop, who: (&str, &str)) -> Result<bool, PolicyError> {
    let now = workshop.now();
    let is_due = |lock: &Lock| {
        let ours = lock.holder.as_ref().filter(|holder| holder.is_session(who));
        ours.is_some_and(|holder| holder.has_ended || now.since(holder.heard_at) >= HEARTBEAT)
    };
    // Most calls end here, without waiting for the note's lock.
    if !read_all(workshop)?.0.values().any(is_due) {
        return Ok(false);
    }
    change(workshop, &mut |locks| {
        for holder in locks.0.values_mut().filter_map(|lock| lock.holder.as_mut()) {
            if holder.is_session(who) {
                // Hooks of a session can run at the same time and finish out of order.
                holder.heard_at = holder.heard_at.max(now);
                holder.has_ended = false;
            }
        }
    })?;
    Ok(true)
}

/// Records that a session ended. It keeps its tasks, for it may be resumed; another one may take them over at once.
///
/// # Errors
/// When the note cannot be read or changed.
pub fn mark_ended(workshop: &dyn Workshop, who: (&str, &str)) -> Result<(), PolicyError> {
    if bound_plans(workshop, who)?.is_empty() {
        return Ok(());
    }
    change(workshop, &mut |locks| {
        let holders = locks.0.values_mut().filter_map(|lock| lock.holder.as_mut());
        holders.filter(|holder| holder.is_session(who)).for_each(|holder| holder.has_ended = true);
    })
}

/// Releases a plan that this session holds or, without a session, whichever holds it. Returns the released lock;
/// `None` if the session does not hold it.
///
/// # Errors
/// When the note cannot be changed.
pub fn release(
    workshop: &dyn Workshop,
    plan: &ProjectPath,
    who: Option<(&str, &str)>,
) -> Result<Option<Lock>, PolicyError> {
    let foreign = mirror::read(workshop, plan);
    let mut released = None;
    change(workshop, &mut |locks| {
        let known = locks.0.get(plan).or(foreign.as_ref());
        let is_ours = |lock: &&Lock| {
            who.is_none_or(|who| lock.holder.as_ref().is_some_and(|holder| holder.is_session(who)))
        };
        released = known.filter(is_ours).cloned();
        if released.is_some() {
            locks.0.remove(plan);
        }
    })?;
    if released.is_some() {
        // As above: the note decides.
        drop(mirror::write(workshop, plan));
    }
    Ok(released)
}

/// Sets locks aside that cannot be read, so that tasks can be started again. Returns whether there were any.
///
/// # Errors
/// When a note cannot be read or changed.
pub fn quarantine(workshop: &dyn Workshop) -> Result<bool, PolicyError> {
    let mut is_damaged = false;
    workshop.change_note(NOTE, &mut |text| {
        let Some(text) = text.filter(|text| parse(text).is_err()) else { return Ok(None) };
        // The copy comes first: if it cannot be written, the damaged note stays where it is.
        workshop.change_note(DAMAGED, &mut |_| Ok(Some(text.to_owned())))?;
        is_damaged = true;
        Ok(Some(String::new()))
    })?;
    Ok(is_damaged)
}

fn change(workshop: &dyn Workshop, alter: &mut dyn FnMut(&mut Locks)) -> Result<(), PolicyError> {
    workshop.change_note(NOTE, &mut |text| {
        let before = text.map(parse).transpose()?.unwrap_or_default();
        let mut locks = before.clone();
        alter(&mut locks);
        if locks == before {
            return Ok(None);
        }
        if locks.0.is_empty() {
            return Ok(Some(String::new()));
        }
        let text = serde_json::to_string(&locks);
        text.map(Some).map_err(|cause| PolicyError::Bug { what: format!("locks of tasks: {cause}") })
    })
}
