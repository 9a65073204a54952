//! `espalier serve` as a process: what it says, how it ends, what it refuses.

mod process;

use std::time::{Duration, Instant};

use process::{Running, Socket, espalier, run};

#[test]
fn serves_a_new_folder_and_ends_at_sigterm_with_an_open_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("new").join("data");
    let server = Running::start(&["--data-dir", data.to_str().expect("UTF-8")]);
    assert!(server.greeting.contains(&format!("http://{}", server.address)), "{}", server.greeting);
    assert!(server.greeting.contains(data.to_str().expect("UTF-8")), "{}", server.greeting);
    assert!(server.greeting.contains("AWS_ENDPOINT_URL_DYNAMODB="), "{}", server.greeting);
    let mut open = Socket::open(server.address);
    assert!(open.list_tables().contains("\"TableNames\":[]"));
    let started = Instant::now();
    let (code, errors) = server.stop();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    assert!(data.exists());
}

#[test]
fn answers_on_both_loopback_addresses() {
    let server = Running::start(&["--in-memory"]);
    assert!(Socket::open(server.address).list_tables().contains("TableNames"));
    let twin = std::net::SocketAddr::new(std::net::Ipv6Addr::LOCALHOST.into(), server.address.port());
    if std::net::TcpListener::bind((std::net::Ipv6Addr::LOCALHOST, 0)).is_ok() {
        assert!(Socket::open(twin).list_tables().contains("TableNames"));
    }
}

#[test]
fn the_default_folder_is_named_on_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::start_in(folder.path(), &[]);
    assert!(server.greeting.contains("espalier-data"), "{}", server.greeting);
    assert_eq!(server.stop().0, Some(0));
    assert!(folder.path().join("espalier-data").exists());
}

#[test]
fn a_second_process_on_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8");
    let first = Running::start(&["--data-dir", data]);
    let (code, errors) = run(&["serve", "--port", "0", "--data-dir", data]);
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("already open in another process"), "{errors}");
    assert!(Socket::open(first.address).list_tables().contains("TableNames"), "the first one lives on");
}

#[test]
fn a_port_in_use_is_told() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = other.local_addr().expect("an address").port().to_string();
    let (code, errors) = run(&["serve", "--in-memory", "--port", &port]);
    assert_eq!(code, Some(4), "{errors}");
    assert!(errors.contains("already in use") && errors.contains("--port"), "{errors}");
}

#[test]
fn a_remote_address_is_refused_unless_allowed() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (code, errors) = run(&["serve", "--host", "0.0.0.0", "--data-dir", data.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("--allow-remote"), "{errors}");
    assert!(!data.exists(), "nothing is made on disk");
    let server = Running::start(&["--in-memory", "--host", "0.0.0.0", "--allow-remote"]);
    let reachable = std::net::SocketAddr::new([127, 0, 0, 1].into(), server.address.port());
    assert!(Socket::open(reachable).list_tables().contains("TableNames"));
    let (code, errors) = server.stop();
    assert_eq!(code, Some(0));
    assert!(errors.contains("warning"), "{errors}");
}

#[test]
fn memory_and_a_folder_exclude_each_other() {
    let (code, errors) = run(&["serve", "--in-memory", "--data-dir", "x"]);
    assert_eq!(code, Some(2), "{errors}");
}

#[test]
fn flags_can_come_from_the_environment() {
    let mut command = espalier();
    command.env("ESPALIER_IN_MEMORY", "true").env("ESPALIER_PORT", "0").arg("serve");
    let server = Running::spawn(command);
    assert!(server.greeting.contains("memory"), "{}", server.greeting);
}

#[test]
fn connections_can_be_pinned_to_threads() {
    let server = Running::start(&["--in-memory", "--runtime", "pinned", "--threads", "2"]);
    let mut sockets: Vec<_> = (0..5).map(|_| Socket::open(server.address)).collect();
    for socket in &mut sockets {
        assert!(socket.list_tables().contains("TableNames"));
    }
    assert_eq!(server.stop().0, Some(0));
}
