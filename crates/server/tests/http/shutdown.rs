//! Stopping: what is in flight is finished, what is idle is closed, and nobody can hold the server up.

use std::time::{Duration, Instant};

use espalier_server::Workers;

use crate::fake::{Running, start, start_with};
use crate::socket::{Socket, sdk};

const SLOW: &str = r#"{"TableName":"slow"}"#;

fn finishes_what_is_in_flight(mut server: Running) {
    let (mut idle, mut busy) = (Socket::open(server.address), Socket::open(server.address));
    idle.send(sdk("ListTables", "{}"));
    assert_eq!(idle.answer().expect("an answer").status, 200);
    busy.send(sdk("DescribeTable", SLOW));
    while server.executed() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let started = Instant::now();
    server.ask_to_stop();
    assert!(idle.is_closed());
    assert!(started.elapsed() < Duration::from_millis(350), "idle connections are closed at once");
    assert!(busy.answer().is_some(), "the request in flight is answered");
    assert!(busy.is_closed());
    let address = server.address;
    server.stop();
    assert!(started.elapsed() < Duration::from_secs(3));
    assert!(std::net::TcpStream::connect(address).is_err(), "nobody listens any more");
}

#[test]
fn requests_in_flight_are_finished() {
    finishes_what_is_in_flight(start());
}

#[test]
fn requests_in_flight_are_finished_on_workers_of_their_own() {
    finishes_what_is_in_flight(start_with(|options| options.workers = Workers::Own(2)));
}

#[test]
fn half_a_request_does_not_hold_the_server_up() {
    let mut server = start_with(|options| options.drain_timeout = Duration::from_millis(300));
    let mut half = Socket::open(server.address);
    half.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    std::thread::sleep(Duration::from_millis(100));
    let started = Instant::now();
    server.stop();
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn connections_are_dealt_out_to_workers() {
    let server = start_with(|options| options.workers = Workers::Own(3));
    let mut sockets: Vec<_> = (0..7).map(|_| Socket::open(server.address)).collect();
    for _ in 0..2 {
        for socket in &mut sockets {
            socket.send(sdk("ListTables", "{}"));
            assert_eq!(socket.answer().expect("an answer").status, 200);
        }
    }
}
