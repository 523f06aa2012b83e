package evolution;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.RpcServer;

/**
 * Serves the version of {@link Api} that is on the class path, on a free port until its
 * input ends. An answer is what each parameter has got, by name.
 */
public final class ApiServer {

	private ApiServer() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		Api api = (Api) Proxy.newProxyInstance(Api.class.getClassLoader(), new Class<?>[] { Api.class },
				(proxy, method, arguments) -> (method.getDeclaringClass() == Api.class) ? seen(method, arguments)
						: method.invoke(ApiServer.class, arguments));
		try (RpcServer server = RpcServer.builder()
			.service(ServiceDescriptor.of(Api.class), () -> api)
			.bindAddress("127.0.0.1")
			.port(0)
			.start()) {
			System.out.println("listens on 127.0.0.1:" + server.port());
			System.in.transferTo(System.err);
		}
	}

	private static String seen(Method method, Object[] arguments) {
		return IntStream.range(0, arguments.length)
			.mapToObj((index) -> method.getParameters()[index].getName() + "=" + arguments[index])
			.sorted()
			.collect(Collectors.joining(" "));
	}

}
