//! A network of one's own has only itself, and even that has to be switched on.

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

use crate::Trouble;

/// Switches the loopback interface on.
pub(super) fn bring_up() -> Result<(), Trouble> {
    let done = (|| {
        // Protocol 0 is the one of routes and interfaces.
        let family = AddressFamily::NETLINK;
        let socket = socket_with(family, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
        sendto(&socket, &request(), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
        let mut answer = [0_u8; 64];
        let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
        let code =
            answer.get(16..20.min(length)).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
        match code {
            Some(0) => Ok(()),
            Some(code) => Err(rustix::io::Errno::from_raw_os_error(-code)),
            None => Err(rustix::io::Errno::PROTO),
        }
    })();
    done.map_err(|cause: rustix::io::Errno| {
        Trouble::new(
            format!("cannot switch the loopback interface on: {cause}"),
            "leave the network on: `net = \"on\"`",
        )
    })
}

/// `RTM_NEWLINK` for interface 1 with `IFF_UP`, to be acknowledged.
fn request() -> [u8; 32] {
    const RTM_NEWLINK: u16 = 16;
    const REQUEST_WITH_ACK: u16 = 1 | 4;
    const IFF_UP: u32 = 1;
    let mut message = [0; 32];
    let mut put = |at: usize, bytes: &[u8]| {
        let place = message.iter_mut().skip(at);
        place.zip(bytes).for_each(|(place, byte)| *place = *byte);
    };
    put(0, &32_u32.to_ne_bytes());
    put(4, &RTM_NEWLINK.to_ne_bytes());
    put(6, &REQUEST_WITH_ACK.to_ne_bytes());
    put(8, &1_u32.to_ne_bytes());
    // struct ifinfomsg: family and type are nothing.
    put(20, &1_i32.to_ne_bytes());
    put(24, &IFF_UP.to_ne_bytes());
    put(28, &IFF_UP.to_ne_bytes());
    message
}
