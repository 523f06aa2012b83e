package io.rpcboot.grpc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.GrpcStreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * Turns services of grpc-java into services of a server.
 *
 * <pre>{@code
 * RpcServer.builder()
 *     .grpcService(BindableServices.of(new UsersImpl()), ServiceOptions.defaults())
 *     .start();
 * }</pre>
 *
 * All four kinds of methods run with their interceptors and {@code io.grpc.Context}.
 * Reflection tells clients the files of the services.
 *
 * @since 0.1.0
 */
public final class BindableServices {

	private BindableServices() {
	}

	/**
	 * Returns a service as a server offers it.
	 * @param service the service, such as a subclass of a generated {@code ImplBase}, or
	 * a proxy of one, whose calls pass the proxy
	 * @return its definition
	 */
	public static GrpcServiceDefinition of(BindableService service) {
		ServerServiceDefinition bound = bound(service);
		return of((bound != null) ? bound : service.bindService());
	}

	/**
	 * Binds the methods of an object itself, by the generated class of its service. A
	 * proxy that passes {@code bindService()} to its target would have no part in calls.
	 * @param service implements the generated {@code AsyncService}
	 * @return null if it does not, or if its own {@code bindService()} does more, such as
	 * to add interceptors
	 */
	public static @Nullable ServerServiceDefinition bound(BindableService service) {
		Method binder = binder(service.getClass());
		if (binder == null) {
			return null;
		}
		try {
			ServerServiceDefinition bound = (ServerServiceDefinition) binder.invoke(null, service);
			return handlers(bound).equals(handlers(service.bindService())) ? bound : null;
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			return null;
		}
	}

	/** Returns the classes of the handlers by method; interceptors have their own. */
	private static Map<String, Class<?>> handlers(ServerServiceDefinition service) {
		Map<String, Class<?>> handlers = new HashMap<>();
		service.getMethods()
			.forEach((each) -> handlers.put(each.getMethodDescriptor().getFullMethodName(),
					each.getServerCallHandler().getClass()));
		return handlers;
	}

	/** Returns {@code bindService(AsyncService)} of the generated class. */
	private static @Nullable Method binder(@Nullable Class<?> type) {
		if (type == null) {
			return null;
		}
		for (Class<?> each : type.getInterfaces()) {
			Class<?> generated = each.getSimpleName().equals("AsyncService") ? each.getDeclaringClass() : null;
			if (generated != null) {
				try {
					return generated.getMethod("bindService", each);
				}
				catch (NoSuchMethodException ex) {
					return null; // an interface of the same name
				}
			}
		}
		return binder(type.getSuperclass());
	}

	/**
	 * Returns a service as a server offers it.
	 * @param service the service, with its interceptors
	 * @return its definition
	 */
	public static GrpcServiceDefinition of(ServerServiceDefinition service) {
		Map<String, GrpcHandler> methods = new HashMap<>();
		Map<String, GrpcStreamHandler> streams = new HashMap<>();
		for (ServerMethodDefinition<?, ?> each : service.getMethods()) {
			MethodDescriptor<?, ?> method = each.getMethodDescriptor();
			String name = method.getFullMethodName().substring(method.getFullMethodName().lastIndexOf('/') + 1);
			if (method.getType() == MethodType.UNARY) {
				methods.put(name, handler(each));
			}
			else {
				streams.put(name, streamHandler(each));
			}
		}
		ServiceDescriptor declared = service.getServiceDescriptor();
		return new GrpcServiceDefinition(declared.getName(), methods, streams,
				() -> GeneratedFiles.of(declared.getSchemaDescriptor()));
	}

	private static <Q, A> GrpcStreamHandler streamHandler(ServerMethodDefinition<Q, A> method) {
		return (call, requests) -> new StreamedServerCall<>(call, method, requests);
	}

	private static <Q, A> GrpcHandler handler(ServerMethodDefinition<Q, A> method) {
		return (call) -> new UnaryServerCall<>(call, method).start();
	}

}
