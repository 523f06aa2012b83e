package io.rpcboot.hotpath;

/** The call that is counted. */
public interface EchoService {

	byte[] echo(byte[] body);

}
