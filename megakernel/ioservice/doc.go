// Package ioservice serves the IO queue of a running kernel: it reads the pages of files that tasks ask for.
//
// # What is served
//
// A request names a file by its number, and the host alone knows which file that is: Files opens what the
// run named below one folder, and nothing else. READ fills a frame (package megakernel, page.go); bytes of
// the last word that the file does not fill are 0. FENCE is answered behind all requests that were published
// before it was seen. WRITE is refused, because a run's files are input.
//
// # Answers
//
// A slot of the queue goes from PUBLISHED to CLAIMED to OK or ERROR, and the device makes it EMPTY again.
// OK means that the whole page is in its frame. With ERROR the word for bytes holds a megakernel.FaultCode:
// FaultRead, FaultShortRead or FaultRequest. Each error is also told to the owner of the service.
//
// Several requests are served at a time. The device cannot ring a bell, so the queue is looked at again
// and again, each millisecond when there has been nothing for a while. When the service ends, requests that it
// had not begun are PUBLISHED as before.
package ioservice
