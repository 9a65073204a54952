//! A hyper server that reads requests and answers a fixed body: the ceiling that HTTP alone sets.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::Error;

/// Serves until the process is ended.
pub(crate) fn serve(port: u16, size: usize) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(Error::io("starting a runtime"))?;
    let body = Bytes::from(vec![b' '; size]);
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(Error::io("listening"))?;
        loop {
            let (stream, _) = listener.accept().await.map_err(Error::io("accepting"))?;
            stream.set_nodelay(true).map_err(Error::io("setting up a connection"))?;
            let body = body.clone();
            tokio::spawn(async move {
                let service = service_fn(|request| answer(request, body.clone()));
                // A client that goes away ends its connection and nothing else.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    })
}

async fn answer(request: Request<Incoming>, body: Bytes) -> Result<Response<Full<Bytes>>, Infallible> {
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(body));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    Ok(response)
}
