package io.rpcboot.serialization.protostuff;

import java.lang.constant.ConstantDesc;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.protostuff.Tag;
import io.rpcboot.RpcSubtypes;
import io.rpcboot.serialization.zoo.ZooHierarchies;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;

/**
 * What cannot be sent, one service a reason.
 */
public class RefusedTypes {

	public interface DeepObject {

		List<Map<String, Pair<Integer, Anything>>> get(int number);

	}

	public static class Anything {

		Runnable anything;

	}

	public interface ArrayArgument {

		void put(int[] fine, Runnable[] others);

	}

	public interface InterfaceType {

		Runnable get();

	}

	public interface SealedPlatformType {

		ConstantDesc get();

	}

	public abstract static class Abstract {

	}

	public interface AbstractType {

		Abstract get();

	}

	public interface PlatformType {

		WithPlatform get();

	}

	public static class WithPlatform {

		Random random;

	}

	public interface ThrowableType {

		Exception get();

	}

	@SuppressWarnings("rawtypes")
	public interface RawType {

		List get();

	}

	@SuppressWarnings("rawtypes")
	public interface RawBeanType {

		Pair get();

	}

	public interface Crud<T> {

		T first();

	}

	@SuppressWarnings("rawtypes")
	public interface RawCrud extends Crud {

	}

	public interface Lookup<K, V> {

		V find(K key);

	}

	@SuppressWarnings("rawtypes")
	public interface RawSealed {

		ZooHierarchies.Result get();

	}

	@SuppressWarnings("rawtypes")
	public interface RawFuture {

		CompletableFuture get();

	}

	public static class Endless<T> {

		Endless<List<T>> next;

	}

	public interface EndlessType {

		Endless<String> get();

	}

	static class Hidden {

	}

	public static class WithHidden {

		Hidden hidden;

	}

	public interface HiddenType {

		WithHidden get();

	}

	public class Inner {

	}

	public interface InnerType {

		Inner get();

	}

	public static class ClosedThread extends Thread {

	}

	public interface ClosedSuperclass {

		ClosedThread get();

	}

	public static class NoConstructor {

		int a;

		public NoConstructor(String other) {
			this.a = other.length();
		}

	}

	public interface NoConstructorType {

		NoConstructor get();

	}

	public static class FinalField {

		final int a = 1;

	}

	public interface FinalFieldType {

		FinalField get();

	}

	public static class Twice {

		@Tag(3)
		int a;

		@Tag(3)
		int b;

	}

	public interface TwiceTagged {

		Twice get();

	}

	public static class Half {

		@Tag(3)
		int a;

		int b;

	}

	public interface HalfTagged {

		Half get();

	}

	public static class Zero {

		@Tag(0)
		int a;

	}

	public interface ZeroTagged {

		Zero get();

	}

	public static class Shadowed {

		int a;

	}

	public static class Shadowing extends Shadowed {

		int a;

	}

	public interface ShadowedType {

		Shadowing get();

	}

	public interface UnbuildableException {

		void run() throws URISyntaxException;

	}

	public static class Holding extends Exception {

		private static final long serialVersionUID = 1L;

		@SuppressWarnings("serial")
		Runnable held;

	}

	public interface ExceptionWithObject {

		void run() throws Holding;

	}

	public abstract static class AbstractFailure extends Exception {

		private static final long serialVersionUID = 1L;

	}

	public interface AbstractException {

		void run() throws AbstractFailure;

	}

	public interface Unknown {

	}

	public interface UnknownType {

		List<Unknown> get();

	}

	public sealed interface Half1 permits Half2 {

	}

	public non-sealed interface Half2 extends Half1 {

	}

	public interface HalfSealed {

		Half1 get();

	}

	@RpcSubtypes(String.class)
	public interface NamesString {

	}

	public interface ForeignSubtype {

		NamesString get();

	}

	@RpcSubtypes(Secret.class)
	public interface NamesSecret {

	}

	static class Secret implements NamesSecret {

	}

	public interface SecretSubtype {

		NamesSecret get();

	}

	public sealed interface NamesHidden permits InHiding.Inside {

	}

	static class InHiding {

		public record Inside() implements NamesHidden {

		}

	}

	public interface HiddenSubtype {

		NamesHidden get();

	}

	@RpcSubtypes(BadField.class)
	public interface NamesBadField {

	}

	public record BadField(Runnable field) implements NamesBadField {

	}

	public interface SubtypeWithBadField {

		NamesBadField get();

	}

}
